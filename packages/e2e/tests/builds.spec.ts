import { expect, test } from '@playwright/test';
import { signIn } from './signIn.ts';
import { testAccessiblePages } from './testAccessiblePages.ts';

test('ada runs a job, and grace may only watch', async ({ browser, page }) => {
  await test.step('ada runs hello-parameters', async () => {
    await signIn(page, 'Ada');
    await page
      .getByRole('navigation')
      .getByRole('link', { name: 'Builds' })
      .click();
    await page.getByRole('button', { name: 'Run hello-parameters' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Run job' }).click();
    await expect(dialog.getByText('BRANCH is required')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'BRANCH' }).fill('main');
    await dialog.getByRole('button', { name: 'Run job' }).click();
  });

  await test.step('she is led to the build, and sees how it ends', async () => {
    await expect(
      page.getByRole('heading', { name: 'hello-parameters #1' }),
    ).toBeVisible();
    await expect(page.getByText('Hello from main to dev')).toBeVisible();
    await expect(page.getByText('Finished: SUCCESS')).toBeVisible();
    await expect(page.getByText('Success', { exact: true })).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search the log' }).fill('HELLO');
    await expect(page.getByText(/^1 of \d$/)).toBeVisible();
  });

  await test.step('grace sees it, and has no button to run it', async () => {
    const grace = await (await browser.newContext()).newPage();
    await signIn(grace, 'Grace');
    await grace.goto('/builds/hello-parameters');
    const history = grace.getByRole('grid', { name: 'History' });
    await expect(history.getByRole('link', { name: '#1' })).toBeVisible();
    await expect(grace.getByRole('button', { name: 'Run job' })).toHaveCount(0);
  });
});

testAccessiblePages('builds', {
  user: 'Ada',
  pages: [
    ['/builds', 'hello-parameters'],
    ['/builds/hello-parameters', 'Duration of recent builds'],
    ['/builds/hello-parameters/1', 'Finished: SUCCESS'],
    ['/builds/none', 'Job or build not found'],
  ],
});
