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
