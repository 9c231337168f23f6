import { buildTree } from './buildTree.ts';
import type { TreeNode } from './TreeNode.ts';

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
