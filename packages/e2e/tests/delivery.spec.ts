import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { repositoryRoot } from '@slipway/dev-runner/src/layout.ts';
import { addresses, stateDirectory } from '../src/addresses.ts';
import { continueAs, signIn } from './signIn.ts';
import { testAccessiblePages } from './testAccessiblePages.ts';
import { patient } from '@slipway/dev-runner/src/patience.ts';

const run = promisify(execFile);
const DAY = 86_400_000;
const HOUR = 3_600_000;

/** Returns Monday, 00:00 UTC, of the week that many weeks ago. */
function mondayOf(weeksAgo: number): number {
  const today = Math.floor(Date.now() / DAY) * DAY;
  const sinceMonday = (new Date(today).getUTCDay() + 6) % 7;
  return today - (sinceMonday + 7 * weeksAgo) * DAY;
}

const iso = (time: number) => new Date(time).toISOString();

/**
 * Creates the history of two services over eight weeks; three weeks ago every deployment of
 * payments-api failed.
 */
function history(): object[] {
  return Array.from({ length: 8 }, (_, index) => index + 1).flatMap(weeksAgo =>
    ['payments-api', 'portal'].flatMap(service =>
      [0, 2].flatMap(day => {
        const finished = mondayOf(weeksAgo) + day * DAY + 12 * HOUR;
        const id = `${service}-${weeksAgo}-${day}`;
        const deployment = {
          kind: 'deployment',
          id,
          service,
          version: `${20 - weeksAgo}.${day}`,
          startedAt: iso(finished - 3 * 60_000),
          finishedAt: iso(finished),
          triggeredBy: 'grace',
          commit: {
            sha: Buffer.from(id).toString('hex'),
            message: `Change ${id}`,
          },
        };
        const incident = {
          kind: 'incident',
          id: `INC-${id}`,
          service,
          title: `Payments are declined after ${deployment.version}`,
          startedAt: iso(finished + HOUR / 2),
          resolvedAt: iso(finished + 2 * HOUR),
          deployment: id,
        };
        const isBad = service === 'payments-api' && weeksAgo === 3;
        return isBad ? [deployment, incident] : [deployment];
      }),
    ),
  );
}

test('a team lead follows a bad week to its deployment and incident', async ({
  page,
}) => {
  await signIn(page, 'Grace');

  await test.step('the empty page says how to get data in', async () => {
    await page
      .getByRole('navigation')
      .getByRole('link', { name: 'Delivery' })
      .click();
    await expect(page.getByText('No deployments yet')).toBeVisible();
    await expect(
      page.getByText('/api/delivery-lake/deployments').first(),
    ).toBeVisible();
  });

  await test.step('import a file, and the page notices', async () => {
    const file = `${stateDirectory}/history.ndjson`;
    await mkdir(stateDirectory, { recursive: true });
    await writeFile(
      file,
      history()
        .map(item => `${JSON.stringify({ source: 'e2e', ...item })}\n`)
        .join(''),
    );
    const { stdout } = await run(
      process.execPath,
      ['packages/lake-cli/src/main.ts', 'import', file, '--url', addresses.api],
      { cwd: repositoryRoot },
    );
    expect(stdout).toContain('34 accepted');
    await expect(
      page.getByRole('group', { name: /^Change failure rate by week/ }),
    ).toBeVisible({ timeout: patient(60_000) });
  });

  await test.step('narrow to the team', async () => {
    await page
      .getByRole('combobox', { name: 'Team, project or service' })
      .fill('Payments');
    await page.getByRole('option', { name: 'Payments', exact: true }).click();
    await expect(page).toHaveURL(/scope=team/);
    await page.getByRole('button', { name: /Period/ }).click();
    await page.getByRole('option', { name: 'Last 90 days' }).click();
    await expect(page).toHaveURL(/period=90d/);
  });

  await test.step('open the bad week', async () => {
    const chart = page.getByRole('group', {
      name: /^Change failure rate by week/,
    });
    await chart.getByRole('link', { name: /100%/ }).click();
    await expect(page).toHaveURL(/\/delivery\/deployments\?.*failed=true/);
    await expect(page.getByText('Payments API').first()).toBeVisible();
    await expect(page.getByText('Failed: incident')).toHaveCount(2);
  });

  await test.step('open the deployment and its incident', async () => {
    await page
      .getByRole('link', { name: /^Payments API/ })
      .first()
      .click();
    const panel = page.getByRole('complementary', { name: /Payments API 17/ });
    await expect(
      panel.getByText('Payments are declined after 17.2'),
    ).toBeVisible();
    await panel
      .getByRole('link', { name: 'Payments are declined after 17.2' })
      .click();
    await expect(page).toHaveURL(/\/delivery\/incidents/);
    await expect(
      page.getByText('Payments are declined after 17.2').first(),
    ).toBeVisible();
  });
});

test('a component shows how it is delivered', async ({ page }) => {
  await continueAs(page, 'Ada');
  await page.goto('/catalog/default/component/payments-api');
  await page
    .getByRole('main')
    .getByRole('link', { name: 'Delivery', exact: true })
    .click();
  await expect(page.getByText('Deployment frequency').first()).toBeVisible();
  await expect(page.getByText('17.2').first()).toBeVisible();
});

testAccessiblePages('delivery', {
  user: 'Grace',
  pages: [
    ['/delivery?period=90d', 'Where to improve'],
    ['/delivery/deployments?period=90d', 'Payments API'],
    ['/delivery/incidents?period=90d', 'Payments are declined'],
    ['/delivery/unmatched', 'have no lead time because'],
    ['/delivery/connections', 'Connections'],
  ],
});
