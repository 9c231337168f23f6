import { test } from '@playwright/test';
import { expectAccessible } from './expectAccessible.ts';
import { signIn } from './signIn.ts';

/**
 * Tests that pages keep WCAG 2.1 AA and fit their window, in light and dark, on a desk
 * and in a hand.
 *
 * @param what - whose pages, for the name of the test.
 * @param options.pages - path and a text that is there once the page is.
 */
export function testAccessiblePages(
  what: string,
  options: {
    user: Parameters<typeof signIn>[1];
    pages: readonly (readonly [path: string, shown: string])[];
  },
): void {
  test(`no page of ${what} violates WCAG 2.1 AA`, async ({ page }) => {
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
