import type { TreeNode } from '../channel.ts';
import { buildTree } from './buildTree.ts';

/** Changes of a burst are told once. */
const QUIET_MS = 100;

/** What changes without a change of the document's nodes or attributes. */
const EVENTS = ['input', 'change', 'focusin', 'focusout'] as const;

/** Elements with which Storybook stands in the same document as the story. */
function isOfStorybook(element: Element): boolean {
  return (
    element.id === 'storybook-highlights-root' ||
    element.id === 'storybook-docs' ||
    element.id === 'slipway-pointer' ||
    element.classList.contains('sb-wrapper')
  );
}

/**
 * Tells the tree below an element now and after each change.
 *
 * @returns ends it.
 */
export function observeTree(
  root: Element,
  onTree: (nodes: TreeNode[]) => void,
): () => void {
  let timer: number | undefined;
  const tell = () => onTree(buildTree(root, isOfStorybook));
  const later = () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(tell, QUIET_MS);
  };
  const observer = new MutationObserver(records => {
    if (records.some(({ target }) => !isInStorybook(target))) {
      later();
    }
  });
  observer.observe(root, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
  });
  EVENTS.forEach(name => root.addEventListener(name, later));
  tell();
  return () => {
    window.clearTimeout(timer);
    observer.disconnect();
    EVENTS.forEach(name => root.removeEventListener(name, later));
  };
}

function isInStorybook(node: Node): boolean {
  for (
    let element =
      node.nodeType === Node.ELEMENT_NODE
        ? (node as Element)
        : node.parentElement;
    element;
    element = element.parentElement
  ) {
    if (isOfStorybook(element)) {
      return true;
    }
  }
  return false;
}

const ID = 'slipway-pointer';
const GAP_PX = 2;

/**
 * Draws a frame around the element that a selector finds, and brings it into sight.
 * undefined takes the frame away.
 */
export function pointAt(selector: string | undefined, at = document): void {
  at.getElementById(ID)?.remove();
  const element = selector && find(selector, at);
  if (!element) {
    return;
  }
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const { top, left, width, height } = element.getBoundingClientRect();
  const { scrollX = 0, scrollY = 0 } = at.defaultView ?? {};
  const frame = at.createElement('div');
  frame.id = ID;
  frame.setAttribute('aria-hidden', 'true');
  Object.assign(frame.style, {
    position: 'absolute',
    zIndex: '2147483647',
    top: `${top + scrollY - GAP_PX}px`,
    left: `${left + scrollX - GAP_PX}px`,
    width: `${width + 2 * GAP_PX}px`,
    height: `${height + 2 * GAP_PX}px`,
    boxSizing: 'border-box',
    border: '2px solid #c2571a',
    borderRadius: '4px',
    pointerEvents: 'none',
  });
  at.body.append(frame);
}

function find(selector: string, at: Document): Element | null {
  try {
    return at.querySelector(selector);
  } catch {
    // Of axe, for an element inside a shadow root: there is no way in.
    return null;
  }
}
