import { expect, test } from '@playwright/test';
import {
  expectNoSidewaysScroll,
  expectNoViolations,
} from './expectAccessible.ts';
import { signIn } from './signIn.ts';

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

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1440, 360]) {
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 800 } });

      test('no page of builds violates WCAG 2.1 AA', async ({ page }) => {
        await signIn(page, 'Ada');
        await page.goto('/builds');
        await page
          .getByRole('button', { name: 'Run hello', exact: true })
          .click();
        await page
          .getByRole('dialog')
          .getByRole('button', { name: 'Run job' })
          .click();
        await expect(page.getByText('Finished: SUCCESS')).toBeVisible();
        const screens = process.env.SLIPWAY_SCREENS;
        for (const [path, shown] of [
          ['/builds', 'hello-parameters'],
          ['/builds/hello', 'Duration of recent builds'],
          ['/builds/hello/1', 'Finished: SUCCESS'],
          ['/builds/none', 'Job or build not found'],
        ]) {
          await page.goto(path);
          await expect(
            page.getByRole('main').getByText(shown).first(),
          ).toBeVisible();
          if (screens) {
            const name = path.replaceAll('/', '-');
            await page.screenshot({
              path: `${screens}/${colorScheme}-${width}${name}.png`,
            });
          }
          await expectNoViolations(page, path);
          await expectNoSidewaysScroll(page, path);
        }
      });
    });
  }
}
