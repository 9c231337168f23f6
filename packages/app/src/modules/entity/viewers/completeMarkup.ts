/** The names of controls that viewers render without one. */
interface ControlNames {
  close: string;
  requestBody: string;
  server: string;
}

/** What is changed in the elements that match a selector. */
type Rule = readonly [
  selector: string,
  change: (element: Element, names: ControlNames) => void,
];

const RULES: readonly Rule[] = [
  // The button around the link opens the operation, and so does the link.
  ['.opblock-summary-control a[href]', link => link.removeAttribute('href')],
  [
    '.servers > label > select:not([aria-label])',
    (select, names) => setName(select, names.server),
  ],
  [
    '.servers [data-variable]:not([aria-label])',
    field => setName(field, field.getAttribute('data-variable')),
  ],
  [
    '.parameters-col_description :is(input, select, textarea):not([aria-label])',
    field => setName(field, nameOfRow(field)),
  ],
  [
    '.opblock-section-request-body textarea:not([aria-label])',
    (field, names) => setName(field, names.requestBody),
  ],
  [
    '.close-modal:not([aria-label])',
    (button, names) => setName(button, names.close),
  ],
  ['.modal-ux:not([role])', openDialog],
  // A name has no effect on an element without a role; the button in it has the same name.
  [
    '.copy-to-clipboard[aria-label]',
    part => part.removeAttribute('aria-label'),
  ],
  // Users of voice control say what they read on a button: "Authorize".
  ['.modal-btn[aria-label]', button => button.removeAttribute('aria-label')],
  // Scrollable code would otherwise be out of reach of the keyboard.
  ['pre:not([tabindex], .version)', code => code.setAttribute('tabindex', '0')],
];

function setName(element: Element, name: string | null | undefined): void {
  if (name) {
    element.setAttribute('aria-label', name);
  }
}

/** Turns a window on top of the page into a dialog: named, focused, and closed by Escape. */
function openDialog(element: Element): void {
  element.setAttribute('role', 'dialog');
  element.setAttribute('aria-modal', 'true');
  setName(element, element.querySelector('h3')?.textContent);
  const close = element.querySelector<HTMLElement>('.close-modal');
  close?.focus();
  element.addEventListener('keydown', event => {
    if (event instanceof KeyboardEvent && event.key === 'Escape') {
      close?.click();
    }
  });
}

/** Returns the name of the parameter or property that a row of a table is about. */
function nameOfRow(element: Element): string | null | undefined {
  const row = element.closest('tr');
  return (
    row?.getAttribute('data-param-name') ??
    row?.getAttribute('data-property-name')
  );
}

/**
 * Completes the markup of a viewer, mostly of Swagger UI, for keyboards and screen readers:
 * controls get names, no control contains another, windows become dialogs, and code can be
 * scrolled. Viewers keep the changes, because React sets an attribute only when its value changes;
 * call this again when elements were added.
 */
export function completeMarkup(view: Element, names: ControlNames): void {
  for (const [selector, change] of RULES) {
    view.querySelectorAll(selector).forEach(element => change(element, names));
  }
}
