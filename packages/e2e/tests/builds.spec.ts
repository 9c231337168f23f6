import { expect, test } from '@playwright/test';
import { addresses, CHECKS_TOKEN } from '../src/addresses.ts';
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
    const grace = await (await browser.newContext()).newPage();
    await signIn(grace, 'Grace');
    await grace.goto('/builds/hello-parameters');
    const history = grace.getByRole('grid', { name: 'History' });
    await expect(history.getByRole('link', { name: '#1' })).toBeVisible();
    await expect(grace.getByRole('button', { name: 'Run job' })).toHaveCount(0);
  });
});

test('a pull request fails at a test, and a push fixes it', async ({
  page,
  request,
}) => {
  const server = addresses.services['build-server'];
  const send = async (action: string, sha: string) => {
    const side = { sha, repo: { id: 1 } };
    const answer = await request.post(
      `${server}/generic-webhook-trigger/invoke?token=${CHECKS_TOKEN}`,
      {
        headers: { 'x-github-event': 'pull_request' },
        data: {
          ...{ action, number: 7, repository: { full_name: 'org/shop' } },
          pull_request: {
            ...{ number: 7, title: 'Round half to even' },
            html_url: 'https://forge.example.org/org/shop/pull/7',
            head: { ...side, ref: 'rounding' },
            base: { ...side, ref: 'main' },
          },
        },
      },
    );
    expect(answer.status()).toBe(200);
  };
  await signIn(page, 'Ada');

  await test.step('its page opens at the failing test', async () => {
    await send('opened', 'bad0'.repeat(10));
    // As a forge or a mail links to it.
    await page.goto(`${server}/job/checks/1/`);
    await expect(page).toHaveURL(`${addresses.portal}/builds/checks/1`);
    await expect(
      page.getByRole('region', { name: 'Message of rounds half to even' }),
    ).toHaveText(/expected 1\.24, was 1\.23/);
    await expect(
      page.getByRole('link', { name: '#7 Round half to even' }),
    ).toHaveAttribute('href', 'https://forge.example.org/org/shop/pull/7');
    await expect(
      page.getByRole('log').getByText('Test failed: it ended with exit code 1'),
    ).toBeVisible();
  });

  await test.step('the next commit passes', async () => {
    await send('synchronize', '900d'.repeat(10));
    await page.goto('/builds/checks/2');
    await expect(page.getByText('1 passed, 0 skipped')).toBeVisible();
    await page.getByText('rounds half to even').click();
    await expect(
      page.getByRole('link', { name: /^checks #1: Failed/ }),
    ).toBeVisible();
    await page.getByRole('link', { name: /Lint/ }).click();
    await expect(page).toHaveURL(/#step:2$/);
  });
});

testAccessiblePages('builds', {
  user: 'Ada',
  pages: [
    ['/builds', 'hello-parameters'],
    ['/builds/hello-parameters', 'Duration of recent builds'],
    ['/builds/hello-parameters/1', 'Finished: SUCCESS'],
    ['/builds/checks', 'Webhook'],
    ['/builds/checks/1', 'expected 1.24, was 1.23'],
    ['/builds/-/agents', 'No agents'],
    ['/builds/-/secrets', 'No secrets'],
    ['/builds/-/usage', 'Build minutes over time'],
    ['/builds/none', 'Job or build not found'],
  ],
});
