import '@testing-library/jest-dom/vitest';
import {
  type Config,
  configure,
  getConfig,
  prettyDOM,
} from '@testing-library/dom';
import { cleanup } from '@testing-library/react';
import { Helmet } from 'react-helmet';
import { afterEach } from 'vitest';
import { patient } from '@slipway/dev-runner/src/patience.ts';

// Generous, because the first page of a test file has to load its modules.
configure({ asyncUtilTimeout: patient(20_000), getElementError });

/**
 * Creates the error of a query that does not find its element, including the elements that it
 * searched. For the attempts of `waitFor` and `findBy…`, it omits them, because printing them took
 * up to a twentieth of the time of a file: only the last error is reported, and `waitFor` calls
 * this once more for it.
 */
function getElementError(message: string | null, container: Element): Error {
  const config: Config & { _disableExpensiveErrorDiagnostics?: boolean } =
    getConfig();
  const elements = config._disableExpensiveErrorDiagnostics
    ? ''
    : `Ignored nodes: comments, ${config.defaultIgnore}\n${prettyDOM(container)}`;
  const error = new Error([message, elements].filter(Boolean).join('\n\n'));
  error.name = 'TestingLibraryElementError';
  // Makes the report show the line of the test instead of this one.
  Error.captureStackTrace(error, getElementError);
  return error;
}

// Explicit, because files share modules and a window, and Testing Library would only clean up after
// the first file.
afterEach(() => {
  cleanup();
  // Material UI forgets the style sheets of components that suspend during their first render: a
  // dozen per test, which jsdom would search in all later tests.
  document.head
    .querySelectorAll('style[data-jss]')
    .forEach(sheet => sheet.remove());
  // These components also leave behind their titles, which the next test would show.
  Helmet.canUseDOM = false;
  Helmet.rewind();
  Helmet.canUseDOM = true;
  localStorage.clear();
  sessionStorage.clear();
  window.setWide(true);
});

// jsdom does not reset `window.event` if a listener stops immediate propagation, like those of
// React Aria. React would then treat the next test's first render as the response to a key press or
// click.
Object.defineProperty(window, 'event', { value: undefined });

declare global {
  interface Window {
    /**
     * Returns an element's style including all style sheets, which `getComputedStyle` ignores in
     * tests.
     */
    getSheetStyle: typeof window.getComputedStyle;
    /** Makes the window as wide as a desktop's or as narrow as a phone's, and notifies the page. */
    setWide: (isWide: boolean) => void;
  }
}

// For each element that a query visits, jsdom would match the rules of all style sheets, which took
// most of the time of these tests. Inline styles are enough for queries.
window.getSheetStyle ??= window.getComputedStyle;
window.getComputedStyle = element => (element as HTMLElement).style;

// For each of its style sheets, Material UI searches the document for a nonce until it finds one,
// which took a fifth of the time of these tests.
if (!document.querySelector('meta[property="csp-nonce"]')) {
  const nonce = document.createElement('meta');
  nonce.setAttribute('property', 'csp-nonce');
  nonce.content = 'unused';
  document.head.prepend(nonce);
}

/**
 * Replaces `matchMedia`, because jsdom has no layout. Pages are tested on a wide screen by default.
 * Libraries keep queries that they created during an earlier test file, so all queries share one
 * state.
 */
function replaceMatchMedia(): Window['setWide'] {
  let isWide = true;
  const width = new EventTarget();
  window.matchMedia = media => ({
    get matches() {
      return isWide && media.includes('min-width');
    },
    media,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
    addEventListener: width.addEventListener.bind(width),
    removeEventListener: width.removeEventListener.bind(width),
    dispatchEvent: width.dispatchEvent.bind(width),
  });
  return wide => {
    if (wide !== isWide) {
      isWide = wide;
      width.dispatchEvent(new Event('change'));
    }
  };
}
window.setWide ??= replaceMatchMedia();
