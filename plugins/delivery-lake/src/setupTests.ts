import '@testing-library/jest-dom/vitest';

// jsdom leaves `window.event` behind when a listener stops immediate propagation, as React Aria's
// do. React would then take the next test's first render for the answer to a key or click.
Object.defineProperty(window, 'event', { value: undefined });
