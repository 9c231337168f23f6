import '@testing-library/jest-dom/vitest';
import { configure } from '@testing-library/react';

// A page takes longer than the default second to come up beside all other tests.
configure({ asyncUtilTimeout: 10_000 });

// jsdom leaves `window.event` behind when a listener stops immediate propagation, as React Aria's
// do. React would then take the next test's first render for the answer to a key or click.
Object.defineProperty(window, 'event', { value: undefined });
