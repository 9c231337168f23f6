import type { TreeNode } from '../channel.ts';
import { buildTree } from './buildTree.ts';

/** Debounce interval: a burst of changes is reported once. */
const QUIET_MS = 100;

/** Events that change the tree without changing the document's nodes or attributes. */
const EVENTS = ['input', 'change', 'focusin', 'focusout'] as const;

/** Returns true for Storybook's own elements in the story's document. */
function isOfStorybook(element: Element): boolean {
  return (
    element.id === 'storybook-highlights-root' ||
    element.id === 'storybook-docs' ||
    element.id === 'slipway-pointer' ||
    element.classList.contains('sb-wrapper')
  );
}

/**
 * Calls back with the tree of an element now and after each change.
 *
 * @returns a function that stops observing.
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
 * Outlines the element that matches a selector, and scrolls it into view. undefined
 * removes the outline.
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
    // axe selectors can lead into a shadow root, which querySelector cannot enter.
    return null;
  }
}
