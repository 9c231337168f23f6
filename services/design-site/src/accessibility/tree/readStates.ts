import { isDisabled } from 'dom-accessibility-api';

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
export function readStates(element: Element): string[] {
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
