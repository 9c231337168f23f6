import { type Browser, expect, type Page, test } from '@playwright/test';
import { signIn } from './signIn.ts';
import { patient } from '@slipway/dev-runner/src/patience.ts';

const FLAG = 'demo.split-payments';
const INCIDENT = 'Split payments are charged twice';
const FEEDBACK = 'My second card was not charged at all';
/** Time from opening the home page to the notified author. */
const TIME_LIMIT_MS = patient(180_000);

const region = (page: Page, name: string) =>
  page.getByRole('region', { name, exact: true });

/** The value of a fact of the cockpit, as it is shown. */
const fact = (page: Page, label: string) =>
  region(page, 'Delivery')
    .locator('.slw-Fact', { hasText: label })
    .locator('.slw-FactValue');

/** Finds something in the palette and chooses it, using only the keyboard. */
async function choose(page: Page, words: string, item: string | RegExp) {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search' });
  await palette.getByRole('combobox').fill(words);
  await expect(
    palette.getByRole('option', { selected: true, name: item }),
  ).toBeVisible();
  await page.keyboard.press('Enter');
}

async function visitorOf(browser: Browser, name: 'Ada' | 'Grace') {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, name);
  return page;
}

/**
 * Tests the loop of the product on the demo organisation: from a broken deployment on the
 * home page to the notified author of the feedback. No address is typed after sign-in.
 */
export function testLoop(): void {
  test('a broken deployment is noticed, contained, repaired and reported, using only clicks', async ({
    browser,
  }) => {
    test.setTimeout(TIME_LIMIT_MS);
    const grace = await visitorOf(browser, 'Grace');

    await test.step('the home page says what is broken', async () => {
      const inbox = region(grace, 'Needs you');
      await expect(inbox.getByText(INCIDENT)).toBeVisible();
      const failed = inbox
        .getByRole('listitem')
        .filter({ hasText: 'Checkout API' })
        .filter({ hasText: 'failed to deploy' });
      await failed.getByRole('link', { name: 'View deployment' }).click();
    });

    await test.step('its component has the incident, the metrics and the timeline', async () => {
      await grace
        .getByRole('complementary')
        .getByRole('link', { name: 'Checkout API', exact: true })
        .click();
      await expect(fact(grace, 'Open incidents')).toHaveText(/1$/);
    });
    const timeline = region(grace, 'Timeline');
    const rowOf = (title: string | RegExp) =>
      timeline.getByRole('listitem').filter({
        has: grace.getByRole('link', { name: title, exact: true }),
      });

    await test.step('the build behind it shows the step that failed, and why', async () => {
      await timeline
        .getByRole('link', { name: /^Build: demo-checkout-api/ })
        .first()
        .click();
      await expect(
        grace.getByText(/split a payment \.\.\. failed/).first(),
      ).toBeVisible();
      await grace.goBack();
    });

    await test.step('the flag is turned off, back on, and off again', async () => {
      const off = timeline
        .getByRole('button', { name: `Turn off ${FLAG} in production` })
        .first();
      // Turning a flag off in production needs confirmation.
      const confirm = () =>
        grace
          .getByRole('dialog')
          .or(grace.getByRole('alertdialog'))
          .getByRole('button', { name: 'Turn off', exact: true })
          .click();
      await off.click();
      await confirm();
      await grace.getByRole('button', { name: 'Undo' }).click();
      await expect(grace.getByText('Undone')).toBeVisible();
      await off.click();
      await confirm();
      await expect(grace.getByText(`${FLAG} is off`).first()).toBeVisible();
      await expect(off).toBeHidden();
    });

    await test.step('she says what customers see', async () => {
      await grace.getByRole('button', { name: 'Send feedback' }).click();
      const dialog = grace.getByRole('dialog', { name: 'Send feedback' });
      await dialog.getByRole('radio', { name: '2', exact: true }).focus();
      await grace.keyboard.press('2');
      await dialog
        .getByRole('textbox', { name: 'What happened, or what would help?' })
        .fill(FEEDBACK);
      await dialog.getByRole('button', { name: 'Send feedback' }).click();
      await grace
        .getByRole('button', { name: 'Close', exact: true })
        .last()
        .click();
    });

    let workspace = '';
    await test.step('a workspace opens at the commit', async () => {
      await timeline
        .getByRole('button', { name: /^Create workspace at / })
        .first()
        .click();
      const dialog = grace.getByRole('dialog', { name: 'Create workspace' });
      await expect(dialog.getByText('shop 1.4.0 is valid')).toBeVisible();
      await dialog.getByRole('button', { name: 'Create workspace' }).click();
      // The component's page says "Running" too.
      await grace.waitForURL(/\/workspaces\/./);
      await expect(
        grace.getByText('Running', { exact: true }).first(),
      ).toBeVisible({ timeout: patient(60_000) });
      workspace = await grace.getByRole('heading', { level: 1 }).innerText();
    });

    const frequency = 'Deployment frequency (30 d)';
    const restore = 'Time to restore service (30 d)';
    let before: string[] = [];
    await test.step('the repair is built and deployed', async () => {
      await choose(grace, 'checkout api', /^Checkout API/);
      await expect(fact(grace, frequency)).not.toHaveText('–');
      before = [
        await fact(grace, frequency).innerText(),
        await fact(grace, restore).innerText(),
      ];
      await choose(grace, 'run demo-checkout-api', /^Run demo-checkout-api/);
      const dialog = grace.getByRole('dialog');
      await dialog.getByRole('button', { name: /^Run/ }).click();
      await expect(
        grace.getByText('Success', { exact: true }).first(),
      ).toBeVisible({ timeout: patient(60_000) });
    });

    await test.step('the incident is resolved, and the metrics move', async () => {
      await choose(grace, 'checkout api', /^Checkout API/);
      await rowOf(INCIDENT)
        .getByRole('button', { name: 'Resolve incident' })
        .click();
      await expect(fact(grace, 'Open incidents')).toHaveText(/0$/);
      await expect(fact(grace, frequency)).not.toHaveText(before[0]);
      await expect(fact(grace, restore)).not.toHaveText(before[1]);
    });

    await test.step('ada resolves the feedback', async () => {
      const ada = await visitorOf(browser, 'Ada');
      await choose(ada, 'checkout api', /^Checkout API/);
      const row = region(ada, 'Timeline')
        .getByRole('listitem')
        .filter({ hasText: 'UI/UX: 2 of 5' })
        .first();
      await row.getByRole('button', { name: 'Create issue' }).click();
      await expect(ada.getByText(/^Issue #\d+ created/).first()).toBeVisible();
      const resolve = row.getByRole('button', { name: 'Mark as resolved' });
      await resolve.click();
      await ada
        .getByRole('alertdialog')
        .or(ada.getByRole('dialog'))
        .getByRole('button', { name: 'Mark as resolved' })
        .click();
      // The button's name contains the word, too.
      await expect(resolve).toBeHidden();
      await expect(row.getByText('Resolved')).toBeVisible();
      await ada.context().close();
    });

    await test.step('grace is told', async () => {
      await grace
        .getByRole('navigation')
        .getByRole('link', { name: /^Notifications/ })
        .click();
      await expect(
        grace.getByText('Your feedback is resolved').first(),
      ).toBeVisible({ timeout: patient(60_000) });
    });

    await test.step('the workspace is stopped and deleted', async () => {
      await choose(grace, 'workspaces', /^Workspaces/);
      await grace
        .getByRole('button', { name: `Actions for ${workspace}` })
        .click();
      await grace.getByRole('menuitem', { name: 'Delete' }).click();
      await grace
        .getByRole('dialog')
        .getByRole('button', { name: /^Delete/ })
        .click();
      await expect(
        grace.getByRole('link', { name: workspace, exact: true }),
      ).toBeHidden();
    });
    await grace.context().close();
  });
}
