import {
  computeAccessibleDescription,
  computeAccessibleName,
  getRole,
  isDisabled,
  isSubtreeInaccessible,
} from 'dom-accessibility-api';
import type { TreeNode } from '../channel.ts';

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

const FLAGS = [
  'aria-busy',
  'aria-checked',
  'aria-expanded',
  'aria-invalid',
  'aria-modal',
  'aria-pressed',
  'aria-readonly',
  'aria-required',
  'aria-selected',
] as const;

const VALUES = [
  'aria-current',
  'aria-haspopup',
  'aria-live',
  'aria-orientation',
  'aria-sort',
] as const;

/** States and properties that assistive technology speaks of, in words. */
function readStates(element: Element): string[] {
  return [
    ...FLAGS.flatMap(name => flag(element, name)),
    ...VALUES.flatMap(name => value(element, name)),
    ...ofControl(element),
    ...range(element),
    ...(isDisabled(element) || element.getAttribute('aria-disabled') === 'true'
      ? ['disabled']
      : []),
    ...level(element),
  ];
}

function flag(element: Element, attribute: string): string[] {
  const text = element.getAttribute(attribute);
  const name = attribute.slice('aria-'.length);
  if (text === 'true') {
    return [name];
  }
  return text === null || text === '' ? [] : [`${name}: ${text}`];
}

function value(element: Element, attribute: string): string[] {
  const text = element.getAttribute(attribute);
  return text && text !== 'false'
    ? [`${attribute.slice('aria-'.length)}: ${text}`]
    : [];
}

/** What native controls know without ARIA. */
function ofControl(element: Element): string[] {
  // By name: an element of another frame is of other classes.
  switch (element.localName) {
    case 'input': {
      const { type, checked, required, readOnly } = element as HTMLInputElement;
      const isToggle = ['checkbox', 'radio'].includes(type);
      return [
        ...(isToggle ? [checked ? 'checked' : 'checked: false'] : []),
        ...(required ? ['required'] : []),
        ...(readOnly ? ['readonly'] : []),
      ];
    }
    case 'option':
      return (element as HTMLOptionElement).selected ? ['selected'] : [];
    case 'details':
      return [
        (element as HTMLDetailsElement).open ? 'expanded' : 'expanded: false',
      ];
    default:
      return [];
  }
}

function range(element: Element): string[] {
  const now =
    element.getAttribute('aria-valuetext') ??
    element.getAttribute('aria-valuenow');
  return now ? [`value: ${now}`] : [];
}

function level(element: Element): string[] {
  const text =
    element.getAttribute('aria-level') ??
    /^H([1-6])$/.exec(element.tagName)?.[1];
  return text ? [`level ${text}`] : [];
}

/** A selector that finds the element, and only it, as long as it keeps its place. */
function selectorOf(element: Element): string {
  const steps: string[] = [];
  for (
    let current: Element | null = element;
    current && current !== current.ownerDocument.documentElement;
    current = current.parentElement
  ) {
    const name = current.localName;
    const siblings = [...(current.parentElement?.children ?? [current])].filter(
      sibling => sibling.localName === name,
    );
    steps.unshift(
      siblings.length > 1
        ? `${name}:nth-of-type(${siblings.indexOf(current) + 1})`
        : name,
    );
  }
  return steps.join(' > ');
}
