import { type RefObject, useEffect, useRef } from 'react';

/** Elements that take the focus for a while, and then return it. */
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/** Describes where an element is, to focus something near it once it has disappeared. */
export interface Place {
  element: HTMLElement;
  /** Its row of a table or item of a list, if it is in one, and that row's position. */
  row: HTMLElement | null;
  rows: HTMLElement | null;
  index: number;
  /** The part of the page with the list. */
  around: HTMLElement | null;
}

/** Describes the place of an element. */
export function placeOf(element: HTMLElement): Place {
  const row = element.closest<HTMLElement>('tr, li');
  const rows = row?.parentElement ?? null;
  return {
    element,
    row,
    rows,
    index: rows ? [...rows.children].indexOf(row!) : -1,
    around: element.closest<HTMLElement>('section, main'),
  };
}

/**
 * Focuses an element, or what is nearest to its place if it has disappeared: the row that is there
 * now, the list, or the part of the page around it.
 */
export function focusPlace(place: Place, list?: HTMLElement | null): void {
  const { element, rows, index, around } = place;
  if (element.isConnected) {
    element.focus();
    return;
  }
  const row = rows?.isConnected
    ? rows.children[Math.min(index, rows.children.length - 1)]
    : undefined;
  const near =
    (row?.matches('[tabindex]') ? row : [...queryButtons(row)].at(-1)) ??
    list?.querySelector('table') ??
    around;
  if (near instanceof HTMLElement && near.isConnected) {
    if (!near.matches('[tabindex], button')) {
      near.tabIndex = -1;
    }
    near.focus({ preventScroll: true });
  }
}

function queryButtons(row: Element | undefined): Iterable<Element> {
  return row?.querySelectorAll('button:not(:disabled)') ?? [];
}

/**
 * Moves the focus to a nearby row when the focused element of a list disappears, such as with the
 * row that was deleted. If a dialog is open, waits until it has closed.
 *
 * @param list - the element around the rows, which may be replaced.
 * @param options.tools - the element around buttons that act on the rows.
 * @param options.has - returns whether a row still exists, though it may not be rendered.
 */
export function useFocusNearby(
  list: RefObject<HTMLElement | null>,
  options: {
    tools?: RefObject<HTMLElement | null>;
    has?(row: HTMLElement): boolean;
  } = {},
): void {
  const { tools, has } = options;
  const last = useRef<Place>(undefined);
  const asked = useRef(0);
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) {
        return;
      }
      if (list.current?.contains(target) || tools?.current?.contains(target)) {
        last.current = placeOf(target);
      } else if (!target.closest(OVERLAYS)) {
        last.current = undefined;
      }
    };
    // A click on text takes the focus away without a `focusin`.
    const onPress = ({ target }: PointerEvent) => {
      const isInside =
        target instanceof Node &&
        (list.current?.contains(target) || tools?.current?.contains(target));
      // Outside a dialog, a click keeps the focus in it, or closes it.
      if (!isInside && !document.activeElement?.closest(OVERLAYS)) {
        last.current = undefined;
      }
    };
    document.addEventListener('focusin', onFocus);
    document.addEventListener('pointerdown', onPress, true);
    return () => {
      cancelAnimationFrame(asked.current);
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('pointerdown', onPress, true);
    };
  }, [list, tools]);
  useEffect(() => {
    const place = last.current;
    if (
      !place ||
      place.element.isConnected ||
      (place.row && has?.(place.row))
    ) {
      return;
    }
    const move = () => {
      const active = document.activeElement;
      if (active?.closest(OVERLAYS)) {
        asked.current = requestAnimationFrame(move);
        return;
      }
      if (last.current === place && (!active || active === document.body)) {
        focusPlace(place, list.current);
      }
    };
    cancelAnimationFrame(asked.current);
    asked.current = requestAnimationFrame(move);
  });
}

/** Maximum time to wait until the content that replaces an element has loaded, in milliseconds. */
const REPLACED_MS = 3_000;

/**
 * Moves the focus when an element that contains it disappears, as an empty state does once its button
 * has created something: to the table that replaces the element, or to the button of an error, such
 * as after a failed retry, or else to the heading of that part of the page. Waits until an open dialog
 * has closed and the new content has loaded. Does nothing if the button opened another page.
 */
export function useFocusOnReplacement(
  frame: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    const element = frame.current;
    const around = ancestorsOf(element);
    /** The page's path when the element got the focus; undefined once the focus has left it for the page. */
    let usedOn: string | undefined;
    const isWithin = (target: EventTarget | null) =>
      target instanceof Node && Boolean(element?.contains(target));
    const onFocus = ({ target }: FocusEvent) => {
      if (isWithin(target)) {
        usedOn = window.location.pathname;
      } else if (target instanceof Element && !target.closest(OVERLAYS)) {
        usedOn = undefined;
      }
    };
    // A click on text takes the focus away without a `focusin`.
    const onPress = ({ target }: PointerEvent) => {
      if (!isWithin(target) && !document.activeElement?.closest(OVERLAYS)) {
        usedOn = undefined;
      }
    };
    document.addEventListener('focusin', onFocus);
    document.addEventListener('pointerdown', onPress, true);
    return () => {
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('pointerdown', onPress, true);
      if (usedOn !== undefined) {
        focusReplacement(around, usedOn);
      }
    };
  }, [frame]);
}

/** Returns the ancestors of an element up to `main`, innermost first; none if it is outside `main`. */
function ancestorsOf(element: HTMLElement | null): HTMLElement[] {
  const page = element?.closest('main');
  const found: HTMLElement[] = [];
  for (let each = element?.parentElement; each; each = each.parentElement) {
    found.push(each);
    if (each === page) {
      return found;
    }
  }
  return [];
}

/**
 * Focuses the content that replaced an element, unless the focus has moved or the user has left the
 * page.
 *
 * @param around - the ancestors that the element had, innermost first.
 * @param pathname - the path of its page.
 */
function focusReplacement(
  around: readonly HTMLElement[],
  pathname: string,
): void {
  const place = around.find(({ isConnected }) => isConnected);
  if (!place) {
    return;
  }
  let waitsUntil: number | undefined;
  const move = (now: number) => {
    const active = document.activeElement;
    if (window.location.pathname !== pathname) {
      // The shell moves the focus to the new page.
      return;
    }
    if (active?.closest(OVERLAYS)) {
      requestAnimationFrame(move);
      return;
    }
    if (active && active !== document.body) {
      return;
    }
    waitsUntil ??= now + REPLACED_MS;
    if (place.querySelector('[aria-busy="true"]') && now < waitsUntil) {
      requestAnimationFrame(move);
      return;
    }
    const target =
      place.querySelector<HTMLElement>('table, [role="alert"] button') ??
      place.closest('section, main')?.querySelector<HTMLElement>('h1, h2, h3');
    if (target && !target.matches('[tabindex], button')) {
      target.tabIndex = -1;
    }
    target?.focus({ preventScroll: true });
  };
  requestAnimationFrame(move);
}
