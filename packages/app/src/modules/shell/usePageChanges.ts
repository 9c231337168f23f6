import {
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { restoreScroll } from './restoreScroll';

/** A list that keeps its place when the details of a row open or close next to it. */
const LIST = '.slw-ListAndPanel';
/** Matches content that React hides while it is suspended. */
const HIDDEN = '[style*="display: none"]';
/** Maximum number of positions that are kept. */
const MAX_POSITIONS = 200;
/** Time for a page to set its title and to take the focus, in milliseconds. */
const SETTLED_MS = 500;

/**
 * Handles page changes as browsers do when they load a document, which they cannot for an app whose
 * content scrolls in an element: a new page starts at its top, going back restores the scroll
 * position, and the focus moves to the content if the focused element is gone. Opening details next
 * to their list is not a page change.
 *
 * @param content - the element that scrolls; it can have the focus.
 * @returns the title of the page that was opened last, to announce it; empty at first.
 */
export function usePageChanges(content: RefObject<HTMLElement>): string {
  const { key, pathname } = useLocation();
  const type = useNavigationType();
  const positions = useRef(new Map<string, number>());
  const lastPath = useRef(pathname);
  const [announced, setAnnounced] = useState('');
  // During this render, the document is still that of the previous address.
  const listBefore = content.current?.querySelector(LIST);
  const visit = useRef({ isNewPage: false });

  useLayoutEffect(() => {
    const element = content.current;
    if (!element) {
      return undefined;
    }
    const list = element.querySelector(LIST);
    const isSameList =
      list !== null && list === listBefore && list.closest(HIDDEN) === null;
    const isNewPage = pathname !== lastPath.current && !isSameList;
    lastPath.current = pathname;
    visit.current = { isNewPage };
    const left = type === 'POP' ? positions.current.get(key) : undefined;
    const remember = () => keep(positions.current, key, element.scrollTop);
    const restoring =
      left === undefined ? undefined : restoreScroll(element, left);
    if (!restoring) {
      element.scrollTop = isNewPage ? 0 : element.scrollTop;
      remember();
    }
    const onScroll = () => {
      // A page that is still loading is shorter than the one that was left.
      if (!restoring?.isRunning()) {
        remember();
      }
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      restoring?.stop();
      element.removeEventListener('scroll', onScroll);
    };
    // Once per visit of an address.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);

  useEffect(() => {
    if (!visit.current.isNewPage) {
      return undefined;
    }
    const timer = setTimeout(() => {
      setAnnounced(document.title);
      if (document.activeElement === document.body) {
        content.current?.focus({ preventScroll: true });
      }
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [key, content]);
  return announced;
}

/** Stores a position, and removes the oldest if there are too many. */
function keep(positions: Map<string, number>, key: string, top: number): void {
  positions.delete(key);
  positions.set(key, top);
  if (positions.size > MAX_POSITIONS) {
    const [oldest] = positions.keys();
    positions.delete(oldest);
  }
}
