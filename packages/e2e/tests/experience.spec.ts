import { expect } from '@playwright/test';
import { addresses } from '../src/addresses.ts';
import { continueAs, signIn } from './signIn.ts';
import { test } from './test.ts';
import { testAccessiblePages } from './testAccessiblePages.ts';

/** Submits answers like a survey tool. */
async function answerPulse(userId: string, team: string): Promise<void> {
  const response = await fetch(
    `${addresses.services['space-metrics']}/api/v1/surveys/pulse/submit`,
    {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': 'dev-space-key',
      },
      body: JSON.stringify({
        user_id: userId,
        team,
        responses: { overall_satisfaction: 5, productivity_this_week: 4 },
      }),
    },
  );
  expect(response.status).toBe(201);
}

test("grace's answers are stored, and hidden until the survey closes", async ({
  openOtherProfile,
  page,
}) => {
  const ada = await openOtherProfile();

  await test.step('at first, ada sees where numbers come from', async () => {
    await signIn(ada, 'Ada');
    await ada
      .getByRole('navigation')
      .getByRole('link', { name: 'Experience' })
      .click();
    await expect(
      ada.getByRole('region', { name: 'Satisfaction', exact: true }),
    ).toContainText('No data');
  });

  await test.step('four others answer, too few to be shown', async () => {
    for (const name of ['per', 'quin', 'rosa', 'sten']) {
      await answerPulse(name, 'payments');
    }
    await ada.reload();
    await expect(
      ada
        .getByRole('region', { name: 'Satisfaction', exact: true })
        .getByRole('group', { name: 'eNPS', exact: true }),
    ).toContainText('fewer than 5 people');
  });

  await test.step('grace answers the pulse survey by keyboard only', async () => {
    await continueAs(page, 'Grace');
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
    await page.getByRole('textbox', { name: 'Task' }).fill('A release');
    for (const slider of await page.getByRole('slider').all()) {
      await slider.focus();
      await slider.press('ArrowRight');
    }
    await page.getByRole('button', { name: 'Send task load' }).click();
    await expect(
      page.getByText(/This task scores \d+ out of 100/),
    ).toBeVisible();
  });

  await test.step('grace finds it among her data', async () => {
    await page.goto('/experience/your-data');
    await expect(
      page.getByRole('region', { name: 'Your stored data' }),
    ).toContainText(/Pulse surveys\s*1/);
  });

  await test.step('ada cannot tell the fifth answer from the fourth', async () => {
    await ada.reload();
    const satisfaction = ada.getByRole('region', {
      name: 'Satisfaction',
      exact: true,
    });
    await expect(
      satisfaction.getByRole('group', { name: 'Answers', exact: true }),
    ).toContainText('No data');
    await expect(
      satisfaction.getByRole('group', { name: 'eNPS', exact: true }),
    ).toContainText('Hidden');
  });
});

test('a team of three sees the reason instead of its numbers', async ({
  page,
}) => {
  for (const name of ['tove', 'ulf', 'vera']) {
    await answerPulse(name, 'three');
  }
  await continueAs(page, 'Ada');
  await page.goto('/experience?team=three');
  const satisfaction = page.getByRole('region', {
    name: 'Satisfaction',
    exact: true,
  });
  for (const field of ['eNPS', 'Rating']) {
    const tile = satisfaction.getByRole('group', { name: field, exact: true });
    await expect(tile).toContainText('Hidden');
    await expect(tile).toContainText('fewer than 5 people');
  }
  await expect(
    satisfaction.getByText(
      'Numbers appear once a week when they are based on at least 5 people',
    ),
  ).toBeVisible();
  // Nor does it show the number of answers.
  await expect(
    satisfaction.getByRole('group', { name: 'Answers', exact: true }),
  ).toContainText('No data');
});

testAccessiblePages('experience', {
  user: 'Ada',
  pages: [
    ['/experience', 'Satisfaction'],
    ['/experience/friction', 'Log friction'],
    ['/experience/pulse', 'Send answers'],
    ['/experience/task-load', 'Send task load'],
    ['/experience/your-data', 'Your data'],
  ],
});
