import { test } from '@playwright/test';
import { expectAccessible } from './expectAccessible.ts';
import { signIn } from './signIn.ts';

/**
 * Tests that pages meet WCAG 2.2 AA and fit the window, in light and dark mode, at desktop and
 * phone size.
 *
 * @param what - whose pages, for the name of the test.
 * @param options.pages - paths, each with a text that is visible once the page has loaded.
 */
export function testAccessiblePages(
  what: string,
  options: {
    user: Parameters<typeof signIn>[1];
    pages: readonly (readonly [path: string, shown: string])[];
  },
): void {
  test(`no page of ${what} violates WCAG 2.2 AA`, async ({ page }) => {
    await signIn(page, options.user);
    for (const [path, shown] of options.pages) {
      await page.goto(path);
      await expectAccessible(
        page,
        path,
        page.getByRole('main').getByText(shown),
      );
    }
  });
}
