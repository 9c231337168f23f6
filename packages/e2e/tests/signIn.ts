import { expect, Page } from '@playwright/test';

/** Signs in on the development sign-in page. */
export async function signIn(
  page: Page,
  name: 'Ada' | 'Grace',
  portal: string = '/',
): Promise<void> {
  await page.goto(portal);
  await page.getByRole('button', { name: `Continue as ${name}` }).click();
  await expect(page.getByText('My workspaces')).toBeVisible();
}

/**
 * Lets a page continue as a user whom the browser remembers from an earlier sign-in. Loads neither
 * the sign-in page nor the home page, which sends requests to every part.
 */
export async function continueAs(
  page: Page,
  name: 'Ada' | 'Grace',
  portal: string = '/',
): Promise<void> {
  // Any file will do: the browser's storage belongs to the portal's origin.
  await page.goto(`${portal.replace(/\/$/, '')}/robots.txt`);
  await page.evaluate(
    user => window.localStorage.setItem('slipway.signIn.user', user),
    name.toLowerCase(),
  );
}
