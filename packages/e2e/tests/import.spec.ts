import { expect, type Page, test } from '@playwright/test';
import { addresses } from '../src/addresses.ts';
import { continueAs } from './signIn.ts';
import { patient } from '@slipway/dev-runner/src/patience.ts';

const descriptor = (name: string) =>
  `${addresses.forge}/descriptors/${name}.yaml`;

async function analyze(page: Page, url: string): Promise<void> {
  await page.goto('/catalog-import');
  await page.getByRole('textbox', { name: 'URL' }).fill(url);
  await page.getByRole('button', { name: 'Analyze' }).click();
}

test('a descriptor is registered on the import page, once', async ({
  page,
}) => {
  await continueAs(page, 'Ada');
  await analyze(page, descriptor('imported'));
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByText('have been added to the catalog')).toBeVisible();

  // Backstage refreshes a location that is already registered.
  await analyze(page, descriptor('imported'));
  await expect(page.getByText('already exist')).toBeVisible();
});

test('the import page reports the errors in a descriptor', async ({ page }) => {
  await continueAs(page, 'Ada');
  await analyze(page, descriptor('nameless'));
  await expect(page.getByText('metadata.name is required')).toBeVisible();

  await analyze(page, descriptor('missing'));
  await expect(page.getByText('The descriptor cannot be read:')).toBeVisible();
});

test('an entity stays with its first location', async ({ page }) => {
  await continueAs(page, 'Ada');
  await analyze(page, descriptor('good'));
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByText('have been added to the catalog')).toBeVisible();

  await expect(async () => {
    await page.goto('/catalog/default/component/registered');
    await expect(page.getByText('Registered by the tests.')).toBeVisible({
      timeout: patient(5_000),
    });
  }).toPass({ timeout: patient(120_000) });
  await analyze(page, descriptor('copy'));
  await expect(
    page.getByText('component:default/registered is already registered'),
  ).toBeVisible();
});
