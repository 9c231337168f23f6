import { expect } from '@playwright/test';
import { test } from './test.ts';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import {
  expectNoSidewaysScroll,
  expectNoViolations,
} from './expectAccessible.ts';
import { continueAs } from './signIn.ts';

const MESSAGE = 'The search does not find anything in the docs';

/** The public title that ada gives it. */
const TITLE = 'A search that finds the docs';

/** The public note that ada adds to it. */
const NOTE = 'Planned for the next release';

/** A PNG with a single pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test("ada triages grace's feedback, which becomes an issue and is resolved", async ({
  openOtherProfile,
  page,
}) => {
  await test.step('grace sends feedback from the page she is on', async () => {
    await continueAs(page, 'Grace');
    await page.goto('/catalog');
    await page.getByRole('button', { name: 'Send feedback' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send feedback' });
    await expect(dialog.getByText('About /catalog')).toBeVisible();
    await dialog.getByRole('button', { name: 'Send feedback' }).click();
    await expect(dialog.getByText('Choose a number from 1 to 5')).toBeVisible();
    await dialog.getByRole('radio', { name: '2', exact: true }).focus();
    await page.keyboard.press('2');
    await dialog
      .getByRole('textbox', { name: 'What happened, or what would help?' })
      .fill(MESSAGE);
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'screenshot.png',
      mimeType: 'image/png',
      buffer: PNG,
    });
    await expect(
      dialog.getByRole('img', { name: 'Preview of the screenshot' }),
    ).toBeVisible();
    await expectNoViolations(page, 'the form');
    await dialog.getByRole('button', { name: 'Send feedback' }).click();
    const sent = page.getByRole('dialog', { name: 'Feedback sent' });
    await sent.getByRole('link', { name: 'View my feedback' }).click();
  });

  await test.step('grace finds it in her list, and has no triage', async () => {
    const row = page.getByRole('row', { name: new RegExp(MESSAGE) });
    await expect(row).toContainText('New');
    await row.getByRole('link').click();
    const panel = page.getByRole('complementary');
    await expect(panel).toContainText('Negative');
    await expect(
      panel.getByRole('img', { name: 'Screenshot sent with the feedback' }),
    ).toBeVisible();
    await expect(page.getByRole('link', { name: 'Triage' })).toHaveCount(0);
    // Resets the live region, which still has the announcement of the dialog's button.
    await page.reload();
    await expect(panel).toContainText('Negative');
    await expectNoViolations(page, 'my feedback');
    await page.goto('/feedback/triage');
    await expect(page.getByText('No access to this feedback')).toBeVisible();
  });

  const ada = await openOtherProfile();

  await test.step('ada filters, reads and validates it', async () => {
    await continueAs(ada, 'Ada');
    await ada.goto('/feedback/triage?status=new&sentiment=negative');
    await ada.getByRole('link', { name: MESSAGE }).click();
    const panel = ada.getByRole('complementary');
    await expect(panel).toContainText('/catalog');
    await expectNoViolations(ada, 'triage');
    await panel
      .getByRole('textbox', { name: 'Notes' })
      .fill('I can see it too');
    await panel.getByRole('button', { name: 'Change status' }).click();
    await expect(panel).toContainText('New to Validated');
    await expect(panel).toContainText('I can see it too');
    expect(new URL(ada.url()).search).toBe('?status=new&sentiment=negative');
  });

  const thread = (of: typeof page) =>
    of.getByRole('region', { name: 'Replies' });

  await test.step('ada replies, and notes something for her colleagues', async () => {
    await thread(ada)
      .getByRole('textbox', { name: 'Reply' })
      .fill('Which words did you search for?');
    await thread(ada).getByRole('button', { name: 'Send reply' }).click();
    await expect(thread(ada).getByRole('status')).toHaveText('Reply sent');
    await thread(ada).getByText('Internal note').click();
    await thread(ada)
      .getByRole('textbox', { name: 'Internal note' })
      .fill('Since the last upgrade');
    await thread(ada).getByRole('button', { name: 'Save note' }).click();
    await expect(thread(ada).getByRole('listitem')).toHaveCount(2);
  });

  await test.step('grace is notified of the reply, and answers', async () => {
    await expect(async () => {
      await page.goto('/notifications');
      await expect(page.getByText('Reply to your feedback')).toBeVisible({
        timeout: patient(5_000),
      });
    }).toPass({ timeout: patient(60_000) });
    await page.goto('/feedback');
    await page.getByRole('link', { name: MESSAGE }).click();
    await expect(thread(page).getByRole('listitem')).toHaveCount(1);
    await thread(page).getByRole('textbox', { name: 'Reply' }).fill('Proxy');
    await thread(page).getByRole('button', { name: 'Send reply' }).click();
    await expect(thread(page).getByRole('listitem')).toHaveCount(2);
    // Resets the live region, which still has the announcement of the button.
    await page.reload();
    await expect(thread(page).getByRole('listitem')).toHaveCount(2);
    await expectNoViolations(page, 'a thread');
  });

  await test.step('ada finds what awaits her reply', async () => {
    await ada.goto('/feedback/triage?replies=awaited');
    await expect(
      ada.getByRole('row', { name: new RegExp(MESSAGE) }),
    ).toContainText('Awaiting reply');
    await ada.goto('/feedback/triage?status=validated&sentiment=negative');
    await ada.getByRole('link', { name: MESSAGE }).click();
  });

  await test.step('ada opens it for voting, where grace finds it with her vote', async () => {
    const voting = ada.getByRole('region', { name: 'Voting' });
    await voting.getByRole('textbox', { name: 'Title' }).fill(TITLE);
    await voting.getByRole('button', { name: 'Open for voting' }).click();
    await expect(
      voting.getByRole('button', { name: 'Close for voting' }),
    ).toBeVisible();
    await page.goto('/feedback/voting');
    const row = page.getByRole('row', { name: new RegExp(TITLE) });
    const vote = row.getByRole('button', { name: `Vote for ${TITLE}` });
    await expect(vote).toHaveAttribute('aria-pressed', 'true');
    await expect(row.getByRole('img', { name: '1 vote' })).toBeVisible();
    await vote.click();
    await expect(row.getByRole('img', { name: '0 votes' })).toBeVisible();
    await expectNoViolations(page, 'voting');
  });

  await test.step('ada adds a public note, which grace reads', async () => {
    const voting = ada.getByRole('region', { name: 'Voting' });
    await voting.getByRole('textbox', { name: 'Public note' }).fill(NOTE);
    await voting.getByRole('button', { name: 'Save public note' }).click();
    await page.getByRole('link', { name: TITLE }).click();
    await expect(async () => {
      await page.reload();
      await expect(
        page.getByRole('region', { name: 'Public note' }),
      ).toContainText(NOTE, { timeout: patient(5_000) });
    }).toPass({ timeout: patient(60_000) });
  });

  await test.step('ada creates issues for validated feedback', async () => {
    await ada.getByRole('button', { name: 'Create issues' }).click();
    await ada
      .getByRole('dialog')
      .getByRole('button', { name: 'Create issues' })
      .click();
    await expect(ada.getByText('Issues created: 1.')).toBeVisible();
    const panel = ada.getByRole('complementary');
    await expect(panel).toContainText('Validated to In progress');
    await panel.getByRole('link', { name: '#1' }).click();
    await expect(
      ada.getByRole('heading', { level: 1, name: MESSAGE }),
    ).toBeVisible();
    // Resets the live region, which still has the announcements of the earlier buttons.
    await ada.reload();
    await expect(
      ada.getByRole('button', { name: 'Close issue' }),
    ).toBeVisible();
    await expectNoViolations(ada, 'the issue');
    await ada.getByRole('button', { name: 'Close issue' }).click();
    await ada
      .getByRole('dialog')
      .getByRole('button', { name: 'Close issue' })
      .click();
    await expect(
      ada.getByRole('button', { name: 'Reopen issue' }),
    ).toBeVisible();
  });

  await test.step('ada sees it in the statistics', async () => {
    await ada.goto('/feedback/statistics');
    const rate = ada.getByRole('group', { name: 'Response rate' });
    await expect(rate).toContainText('100%');
    await expectNoViolations(ada, 'the statistics');
    await ada.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScroll(ada, 'the statistics');
  });

  await test.step('grace is notified', async () => {
    await page.goto('/notifications');
    await expect(page.getByText('Your feedback is resolved')).toBeVisible();
    await page.goto('/feedback');
    await expect(
      page.getByRole('row', { name: new RegExp(MESSAGE) }),
    ).toContainText('Resolved');
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScroll(page, 'my feedback');
  });
});
