import '@testing-library/jest-dom/vitest';
import { configure } from '@testing-library/dom';
import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';
import { patient } from '@slipway/dev-runner/src/patience.ts';

// The first page of a test file has to load its modules.
configure({ asyncUtilTimeout: patient(20_000) });

// Files share modules and a window, so Testing Library would only clean up after the first one.
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});

// jsdom does not reset `window.event` if a listener stops immediate propagation, like those of
// React Aria. React would then treat the next test's first render as the response to a key press or
// click.
Object.defineProperty(window, 'event', { value: undefined });

// jsdom has no layout; pages are tested as on a wide screen.
window.matchMedia = query =>
  Object.assign(new EventTarget(), {
    matches: query.includes('min-width'),
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });

declare global {
  interface Window {
    /**
     * Returns an element's style including all style sheets, which `getComputedStyle` ignores in
     * tests.
     */
    getSheetStyle: typeof window.getComputedStyle;
  }
}

// For each element that a query visits, jsdom would match the rules of all style sheets, which took
// most of the time of these tests. Inline styles are enough for queries.
window.getSheetStyle ??= window.getComputedStyle;
window.getComputedStyle = element => (element as HTMLElement).style;
