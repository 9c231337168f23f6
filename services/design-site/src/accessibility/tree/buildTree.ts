import {
  computeAccessibleDescription,
  computeAccessibleName,
  getRole,
  isDisabled,
  isSubtreeInaccessible,
} from 'dom-accessibility-api';
import type { TreeNode } from '../channel.ts';

/** Roles without semantics: their children replace them in the tree. */
const TRANSPARENT = new Set(['generic', 'none', 'presentation']);

/**
 * Roles whose children are presentational: their name comes from their content, which
 * is not repeated. https://www.w3.org/TR/wai-aria-1.2/#childrenArePresentational
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

/** Elements that are never rendered. */
const SKIPPED = new Set(['script', 'style', 'template', 'noscript', 'head']);

/**
 * Builds the accessibility tree of an element, the element included, following the
 * WAI-ARIA role and name computations. Approximates what browsers build: `aria-owns`,
 * shadow root slots and generated content are not covered.
 *
 * @param isOutside - returns true for elements to leave out.
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

/**
 * Works across iframes, where `instanceof` fails because each document has its own
 * classes.
 */
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

/** Returns the states and properties that assistive technology announces, as text. */
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

/** Returns the states that native controls have without ARIA. */
function ofControl(element: Element): string[] {
  // Compares names: `instanceof` fails for elements of an iframe.
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

/** Returns a selector that matches only this element while it keeps its place. */
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
