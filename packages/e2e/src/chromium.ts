import { existsSync } from 'node:fs';

/** Debian's Chromium where there is one, as downloads of browsers need an open network. */
export const chromiumPath = [
  process.env.SLIPWAY_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
].find(candidate => candidate && existsSync(candidate));

/** Flags under which Chromium runs as any user, and asks nobody for updates. */
export const chromiumArguments: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
