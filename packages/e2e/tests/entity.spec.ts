import { expect, test } from '@playwright/test';
import { addresses } from '../src/addresses.ts';
import { continueAs } from './signIn.ts';
import { patient } from '@slipway/dev-runner/src/patience.ts';

test('a component with a devfile opens a workspace', async ({ page }) => {
  await continueAs(page, 'Grace');
  await page.goto('/catalog/default/component/shop');
  await expect(page.getByText('You have no workspace for')).toBeVisible();
  await page.getByRole('button', { name: 'Open workspace' }).click();

  // Through the page that waits for the start, into the IDE.
  await expect(page.getByRole('treeitem', { name: 'README.md' })).toBeVisible({
    timeout: patient(90_000),
  });
  expect(new URL(page.url()).origin).toBe(addresses.ide);

  await page.goto(`${addresses.portal}/catalog/default/component/shop`);
  await expect(
    page.getByRole('link', { name: 'Open workspace' }),
  ).toBeVisible();
});
