import {
  computeAccessibleDescription,
  computeAccessibleName,
  getRole,
  isSubtreeInaccessible,
} from 'dom-accessibility-api';
import { readStates } from './readStates.ts';
import { selectorOf } from './selectorOf.ts';
import type { TreeNode } from './TreeNode.ts';

/** Roles that say nothing by themselves: their children stand in their place. */
const TRANSPARENT = new Set(['generic', 'none', 'presentation']);

/**
 * Roles whose name is made of what is inside, which is then not read again.
 * https://www.w3.org/TR/wai-aria-1.2/#childrenArePresentational
 */
const LEAVES = new Set([
  'button',
  'checkbox',
  'img',
  'math',
  'menuitemcheckbox',
  'menuitemradio',
  'meter',
  'option',
  'progressbar',
  'radio',
  'scrollbar',
  'separator',
  'slider',
  'switch',
  'tab',
]);

/** Elements that are not part of what is shown. */
const SKIPPED = new Set(['script', 'style', 'template', 'noscript', 'head']);

/**
 * The accessibility tree below an element, the element included, after the WAI-ARIA
 * role and name computations. An approximation of what browsers build: `aria-owns`,
 * slots of shadow roots and generated content are left out.
 *
 * @param isOutside - elements that do not belong to what is looked at.
 */
export function buildTree(
  root: Element,
  isOutside: (element: Element) => boolean = () => false,
): TreeNode[] {
  if (
    SKIPPED.has(root.localName) ||
    isOutside(root) ||
    isSubtreeInaccessible(root)
  ) {
    return [];
  }
  const role = getRole(root);
  if (role === null || TRANSPARENT.has(role)) {
    return childrenOf(root, isOutside);
  }
  return [
    {
      key: selectorOf(root),
      role,
      name: computeAccessibleName(root),
      description: computeAccessibleDescription(root),
      states: readStates(root),
      selector: selectorOf(root),
      children: LEAVES.has(role) ? [] : childrenOf(root, isOutside),
    },
  ];
}

function childrenOf(
  element: Element,
  isOutside: (element: Element) => boolean,
): TreeNode[] {
  return [...element.childNodes].flatMap((child, index) => {
    if (isElement(child)) {
      return buildTree(child, isOutside);
    }
    const words =
      child.nodeType === Node.TEXT_NODE ? (child.textContent ?? '').trim() : '';
    return words ? [textNode(element, words, index)] : [];
  });
}

/** Also of another frame, whose classes are others. */
function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE;
}

function textNode(parent: Element, words: string, index: number): TreeNode {
  const selector = selectorOf(parent);
  return {
    key: `${selector}/${index}`,
    role: 'text',
    name: words,
    description: '',
    states: [],
    selector,
    children: [],
  };
}
