/** What browsers call the site in tabs, histories and bookmarks. */
export const SITE_NAME = 'Slipway design system';

/** How Storybook ends the title of each page. */
const STORYBOOK = /(?:storybook - )?Storybook$/;

/**
 * Has the window bear the name of the site wherever Storybook gives it its own:
 * "Button - Basic ⋅ Slipway design system".
 *
 * @returns a function that ends it.
 */
export function nameWindow(): () => void {
  const rename = () => {
    const title = document.title.replace(STORYBOOK, SITE_NAME);
    if (title !== document.title) {
      document.title = title;
    }
  };
  rename();
  // The title's element is replaced along with its text.
  const observer = new MutationObserver(rename);
  observer.observe(document.head, { childList: true, subtree: true });
  return () => observer.disconnect();
}
