import { expect, test } from '@playwright/test';
import { expectAccessible, useFirstLook } from './expectAccessible.ts';
import { goTo } from './looks/goTo.ts';
import { continueAs } from './signIn.ts';

/**
 * Tests that pages meet WCAG 2.2 AA and fit the window, in light and dark mode, at desktop and
 * phone size.
 *
 * @param what - the part that has the pages, for the name of the test.
 * @param options.pages - paths, each with a text that is visible once the page has loaded.
 */
export function testAccessiblePages(
  what: string,
  options: {
    user: Parameters<typeof continueAs>[1];
    pages: readonly (readonly [path: string, shown: string])[];
  },
): void {
  test(`no page of ${what} violates WCAG 2.2 AA`, async ({ page }) => {
    await continueAs(page, options.user);
    await page.goto('/nowhere');
    const main = page.getByRole('main');
    // Loading the app again for each page would take half of the time.
    for (const [path, shown] of options.pages) {
      // The previous page may contain the same text.
      await goTo(page, '/nowhere');
      await expect(main.getByText('Page not found').first()).toBeVisible();
      await useFirstLook(page);
      await goTo(page, path);
      await expectAccessible(page, path, main.getByText(shown));
    }
  });
}
