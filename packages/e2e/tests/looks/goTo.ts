import type { Page } from '@playwright/test';

/** Goes to another page of the portal without loading the app again. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(address => {
    window.history.pushState({}, '', address);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}
