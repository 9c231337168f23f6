import { existsSync } from 'node:fs';

/**
 * Debian's Chromium if it is installed, as downloading browsers requires open network access.
 * Preferably without its windows, like Playwright's own: drawing them takes a fifth of its work.
 */
export const chromiumPath = [
  process.env.SLIPWAY_CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
].find(candidate => candidate && existsSync(candidate));

/** Flags that let Chromium run as any user without checking for updates. */
export const chromiumArguments: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Flags of Chromium in tests. A newly opened page runs most of its code only a few times, and optimising
 * it would take a seventh of the browser's work. Benchmarks keep optimisation on.
 */
export const testArguments: readonly string[] = [
  ...chromiumArguments,
  '--js-flags=--no-maglev --no-opt',
];
