import { existsSync } from 'node:fs';

/** Debian's Chromium if it is installed, as downloading browsers requires open network access. */
export const chromiumPath = [
  process.env.SLIPWAY_CHROMIUM,
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
