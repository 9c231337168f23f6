import '@testing-library/jest-dom/vitest';
import { configure } from '@testing-library/dom';
import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

// The first page of a test file waits for its modules.
configure({ asyncUtilTimeout: 10_000 });

// Files share their modules and window: Testing Library would clean up after the first alone.
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});

// jsdom leaves `window.event` behind when a listener stops immediate propagation, as React Aria's
// do. React would then take the next test's first render for the answer to a key or click.
Object.defineProperty(window, 'event', { value: undefined });

// jsdom has no layout; pages are tested as a wide screen shows them.
window.matchMedia = query =>
  Object.assign(new EventTarget(), {
    matches: query.includes('min-width'),
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
