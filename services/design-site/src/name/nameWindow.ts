/** Site name in browser tabs, history and bookmarks. */
export const SITE_NAME = 'Slipway design system';

/** Suffix that Storybook adds to the title of each page. */
const STORYBOOK = /(?:storybook - )?Storybook$/;

/**
 * Replaces Storybook's name with the name of the site in the window's title: "Button - Basic ⋅
 * Slipway design system".
 *
 * @returns a function that stops replacing it.
 */
export function nameWindow(): () => void {
  const rename = () => {
    const title = document.title.replace(STORYBOOK, SITE_NAME);
    if (title !== document.title) {
      document.title = title;
    }
  };
  rename();
  // Storybook replaces the title element along with its text.
  const observer = new MutationObserver(rename);
  observer.observe(document.head, { childList: true, subtree: true });
  return () => observer.disconnect();
}
