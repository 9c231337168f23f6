import { expect } from '@playwright/test';
import { addresses, CHECKS_TOKEN } from '../src/addresses.ts';
import { Mailbox } from './Mailbox.ts';
import { pushChange } from './pushChange.ts';
import { continueAs, signIn } from './signIn.ts';
import { test } from './test.ts';
import { testAccessiblePages } from './testAccessiblePages.ts';

test('ada runs a job, and grace may only watch', async ({
  openOtherProfile,
  page,
}) => {
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

  await test.step('she is redirected to the build, and sees its result', async () => {
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
    const grace = await openOtherProfile();
    await continueAs(grace, 'Grace');
    await grace.goto('/builds/hello-parameters');
    const history = grace.getByRole('grid', { name: 'History' });
    await expect(history.getByRole('link', { name: '#1' })).toBeVisible();
    await expect(grace.getByRole('button', { name: 'Run job' })).toHaveCount(0);
  });
});

test('a pull request fails at a test, a push fixes it, and its author is told', async ({
  page,
  request,
}, testInfo) => {
  const server = addresses.services['build-server'];
  // A second attempt finds the builds of the first.
  const number = 7 + testInfo.retry;
  const job = encodeURIComponent(`checks/PR-${number}`);
  const mails = await Mailbox.open();
  const push = async (action: string, rounded: string) => {
    const side = { sha: pushChange(number, rounded), repo: { id: 1 } };
    const answer = await request.post(
      `${server}/generic-webhook-trigger/invoke?token=${CHECKS_TOKEN}`,
      {
        headers: { 'x-github-event': 'pull_request' },
        data: {
          ...{ action, number, repository: { full_name: 'checks' } },
          pull_request: {
            ...{ number, title: 'Round half to even' },
            html_url: `https://forge.example.org/checks/pull/${number}`,
            head: { ...side, ref: 'rounding' },
            base: { ...side, ref: 'main' },
          },
        },
      },
    );
    expect(answer.status()).toBe(200);
  };
  try {
    await continueAs(page, 'Ada');

    await test.step('its page opens at the failing test', async () => {
      await push('opened', '1.23');
      // The address to which forges and emails link.
      await page.goto(`${server}/job/${job}/1/`);
      await expect(page).toHaveURL(`${addresses.portal}/builds/${job}/1`);
      const failure = page.getByRole('region', {
        name: 'Message of rounds half to even',
      });
      await expect(failure).toHaveText(/expected 1\.24, was 1\.23/);
      await expect(failure).toBeInViewport();
      await expect(
        page.getByRole('link', { name: `#${number} Round half to even` }),
      ).toHaveAttribute(
        'href',
        `https://forge.example.org/checks/pull/${number}`,
      );
      await expect(
        page
          .getByRole('log')
          .getByText('Test failed: it ended with exit code 1'),
      ).toBeVisible();
      await mails.has({
        to: 'ada@example.org',
        subject: /PR-\d+ #1 is broken/,
      });
    });

    await test.step('the next commit passes', async () => {
      await push('synchronize', '1.24');
      await page.goto(`/builds/${job}/2`);
      await expect(page.getByText('1 passed, 0 skipped')).toBeVisible();
      await page.getByText('rounds half to even').click();
      await expect(
        page.getByRole('link', { name: /^checks\/PR-\d+ #1: Failed/ }),
      ).toBeVisible();
      await page.getByRole('link', { name: /Lint/ }).click();
      await expect(page).toHaveURL(/#step:3$/);
      await mails.has({ to: 'ada@example.org', subject: /PR-\d+ #2 is fixed/ });
    });
  } finally {
    await mails.close();
  }
});

testAccessiblePages('builds', {
  user: 'Ada',
  pages: [
    ['/builds', 'hello-parameters'],
    ['/builds/hello-parameters', 'Duration of recent builds'],
    ['/builds/hello-parameters/1', 'Finished: SUCCESS'],
    ['/builds/checks', 'Webhook'],
    ['/builds/checks%2FPR-7/1', 'expected 1.24, was 1.23'],
    ['/builds/-/agents', 'No agents'],
    ['/builds/-/secrets', 'No secrets'],
    ['/builds/-/usage', 'Build minutes over time'],
    ['/builds/none', 'Job or build not found'],
  ],
});
