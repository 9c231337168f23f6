import { createContext, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';

/** A page that G followed by a letter opens. */
export interface ShortcutPage {
  /** One capital letter. */
  letter: string;
  title: string;
  href: string;
}

/** The pages with a letter, for the list of shortcuts. */
export const ShortcutPagesContext = createContext<readonly ShortcutPage[]>([]);

/** Actions of shortcuts, apart from opening pages. */
interface ShortcutActions {
  pages: readonly ShortcutPage[];
  /** Control K (⌘ K on Apple), which works everywhere and also closes the palette. */
  onTogglePalette(): void;
  onOpenPalette(): void;
  onOpenHelp(): void;
}

/** True if ⌘ K opens the palette. */
export const isApple = /Mac|iPhone|iPad/.test(window.navigator.userAgent);

/** Time between G and the letter, in milliseconds. */
const SEQUENCE_MS = 1500;

const OFF_KEY = 'slipway.shortcuts.off';

/** Returns the setting that enables shortcuts of a single key without a modifier; stored in the browser. */
export const singleKeys = {
  areOn: () => window.localStorage.getItem(OFF_KEY) !== 'true',
  set: (areOn: boolean) =>
    areOn
      ? window.localStorage.removeItem(OFF_KEY)
      : window.localStorage.setItem(OFF_KEY, 'true'),
};

/** Listens for the portal's shortcuts on the whole page. */
export function useShortcuts(actions: ShortcutActions): void {
  const navigate = useNavigate();
  const latest = useRef(actions);
  latest.current = actions;

  useEffect(() => {
    let lastG = -Infinity;
    const onKeyDown = (event: KeyboardEvent) => {
      const { pages, onOpenPalette, onOpenHelp } = latest.current;
      const isSecond = Date.now() - lastG < SEQUENCE_MS;
      // Shift alone precedes "?", and does not end a sequence.
      if (event.key !== 'Shift') {
        lastG = -Infinity;
      }
      if (!isFree(event)) {
        return;
      }
      const letter = event.shiftKey ? '' : event.key.toUpperCase();
      const page = isSecond && pages.find(known => known.letter === letter);
      if (page) {
        event.preventDefault();
        navigate(page.href);
      } else if (event.key === '/') {
        // Firefox would otherwise open its search in the page.
        event.preventDefault();
        onOpenPalette();
      } else if (event.key === '?') {
        event.preventDefault();
        onOpenHelp();
      } else if (letter === 'G') {
        lastG = Date.now();
      }
    };
    const onPaletteKey = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) {
        event.preventDefault();
        latest.current.onTogglePalette();
      }
    };
    window.addEventListener('keydown', onKeyDown);
    // In the capture phase, because search fields stop the propagation of all keys.
    window.addEventListener('keydown', onPaletteKey, true);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      window.removeEventListener('keydown', onPaletteKey, true);
    };
  }, [navigate]);
}

function isPaletteKey(event: KeyboardEvent): boolean {
  const isModified = isApple ? event.metaKey : event.ctrlKey;
  return isModified && !event.altKey && event.key.toLowerCase() === 'k';
}

/** Elements that handle keys themselves: fields, and lists with type-ahead. */
const TAKES_KEYS = [
  'input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"])',
  'textarea',
  'select',
  'iframe',
  '[contenteditable]:not([contenteditable="false"])',
  '[role="textbox"]',
  '[role="searchbox"]',
  '[role="combobox"]',
  '[role="listbox"]',
  '[role="menu"]',
  '[role="application"]',
].join();

const DIALOG = '[role="dialog"], [role="alertdialog"], dialog[open]';

/**
 * Checks whether a key without modifiers may be a shortcut: nothing else on the page handles it,
 * and no dialog is open.
 */
function isFree(event: KeyboardEvent): boolean {
  if (
    event.defaultPrevented ||
    event.repeat ||
    event.isComposing ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    !singleKeys.areOn()
  ) {
    return false;
  }
  // The path includes shadow roots, such as that of an embedded widget.
  const takesIt = event
    .composedPath()
    .some(target => target instanceof Element && target.matches(TAKES_KEYS));
  return !takesIt && document.querySelector(DIALOG) === null;
}
