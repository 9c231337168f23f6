import { expect, test } from '@playwright/test';
import {
  expectNoSidewaysScroll,
  expectNoViolations,
} from './expectAccessible.ts';
import { signIn } from './signIn.ts';

test('what grace answers moves what ada sees of the team', async ({
  browser,
  page,
}) => {
  const ada = await (await browser.newContext()).newPage();

  await test.step('before, ada sees how numbers come', async () => {
    await signIn(ada, 'Ada');
    await ada
      .getByRole('navigation')
      .getByRole('link', { name: 'Experience' })
      .click();
    await expect(
      ada.getByRole('region', { name: 'Satisfaction', exact: true }),
    ).toContainText('No data');
  });

  await test.step('grace answers the pulse survey by keyboard alone', async () => {
    await signIn(page, 'Grace');
    await page.goto('/experience/pulse');
    await expect(
      page.getByRole('radio', { name: '5, Very' }).first(),
    ).toBeVisible();
    await page.keyboard.press('5');
    await page.keyboard.press('4');
    await page.keyboard.press('Enter');
    await expect(
      page.getByRole('region', { name: 'Answers sent' }),
    ).toBeVisible();
  });

  await test.step('grace rates a task', async () => {
    await page.goto('/experience/task-load');
    await page.getByRole('textbox', { name: 'Which task' }).fill('A release');
    for (const slider of await page.getByRole('slider').all()) {
      await slider.focus();
      await slider.press('ArrowRight');
    }
    await page.getByRole('button', { name: 'Send task load' }).click();
    await expect(page.getByText(/This task comes to \d+ of 100/)).toBeVisible();
  });

  await test.step('ada sees it', async () => {
    await ada.reload();
    const satisfaction = ada.getByRole('region', {
      name: 'Satisfaction',
      exact: true,
    });
    await expect(
      satisfaction.getByRole('group', { name: 'Answers', exact: true }),
    ).toContainText('1');
    await expect(
      satisfaction.getByRole('group', { name: 'eNPS', exact: true }),
    ).toContainText('100');
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1440, 360]) {
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 800 } });

      test('no page of experience violates WCAG 2.1 AA', async ({ page }) => {
        await signIn(page, 'Ada');
        for (const [path, shown] of [
          ['/experience', 'Satisfaction'],
          ['/experience/friction', 'Log friction'],
          ['/experience/pulse', 'Send answers'],
          ['/experience/task-load', 'Which task'],
          ['/experience/your-data', 'Your data'],
        ]) {
          await page.goto(path);
          await expect(
            page.getByRole('main').getByText(shown).first(),
          ).toBeVisible();
          await expectNoViolations(page, path);
          await expectNoSidewaysScroll(page, path);
        }
      });
    });
  }
}
