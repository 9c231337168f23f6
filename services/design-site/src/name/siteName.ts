/** What browsers call the site in tabs, histories and bookmarks. */
export const SITE_NAME = 'Slipway design system';
