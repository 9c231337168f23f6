import type { ColorMode } from '@slipway/design-system';

/** The system's colour mode, which the frame of the site, its pages and the portal follow. */
export const systemMode: ColorMode = window.matchMedia(
  '(prefers-color-scheme: dark)',
).matches
  ? 'dark'
  : 'light';
