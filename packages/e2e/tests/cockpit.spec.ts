import { type APIRequestContext, expect, test } from '@playwright/test';
import { addresses } from '../src/addresses.ts';
import { signIn } from './signIn.ts';
import { testAccessiblePages } from './testAccessiblePages.ts';
import { patient } from '@slipway/dev-runner/src/patience.ts';

const HOUR = 3_600_000;
const ago = (hours: number) =>
  new Date(Date.now() - hours * HOUR).toISOString();

const sha = (letter: string) => letter.repeat(40);

const deployment = (id: string, hours: number, status: string) => ({
  id: `cockpit-${id}`,
  service: 'checkout',
  version: id,
  environment: 'prod',
  status,
  startedAt: ago(hours + 0.1),
  finishedAt: ago(hours),
  triggeredBy: 'user:default/grace',
  repository: 'shop/checkout',
  commit: {
    sha: sha(id.endsWith('0') ? 'a' : 'b'),
    message: `Release ${id}`,
    author: 'Grace',
  },
});

/** Creates a component of Grace's team with data in every part of the platform. */
async function fill(request: APIRequestContext): Promise<void> {
  const services = addresses.services;
  const send = async (
    url: string,
    data: object,
    headers: Record<string, string>,
  ) => {
    const response = await request.post(url, { data, headers });
    expect(response.status(), url).toBeLessThan(300);
  };
  const lake = { authorization: 'Bearer dev-service-token' };
  await send(
    `${addresses.api}/api/delivery-lake/deployments`,
    [deployment('30.0', 5, 'SUCCESS'), deployment('30.1', 1, 'FAILURE')],
    lake,
  );
  await send(
    `${addresses.api}/api/delivery-lake/incidents`,
    {
      id: 'INC-cockpit',
      title: 'Carts are lost',
      service: 'checkout',
      startedAt: ago(4),
    },
    lake,
  );
  const flags = { authorization: '*:*.dev-admin-token' };
  const admin = `${services['feature-flags']}/api/admin/features`;
  await send(admin, { name: 'stop-payouts', type: 'kill-switch' }, flags);
  await send(`${admin}/stop-payouts/toggle/on`, {}, flags);
  await send(
    `${services.feedback}/api/v1/feedback`,
    {
      rating: 2,
      category: 'Performance',
      message: 'Checking out takes ages',
      context: { component: 'checkout' },
    },
    {},
  );
  await send(
    `${services['build-server']}/job/hello/build`,
    {},
    {
      authorization: `Basic ${Buffer.from('dev:dev-api-token').toString('base64')}`,
    },
  );
  await send(
    `${services.analytics}/api/capture`,
    { api_key: 'phc_dev_project_key', event: 'paid', distinct_id: 'x' },
    {},
  );
}

const COMPONENT = '/catalog/default/component/checkout';

test('pending work of a team links from home to the component and its timeline', async ({
  page,
}) => {
  await fill(page.request);
  await signIn(page, 'Grace');
  const inbox = page.getByRole('region', { name: 'Needs you' });
  // The lake learns the owner of a service from the catalog, some time after the start.
  await expect(async () => {
    await page.reload();
    await expect(inbox.getByText('Carts are lost')).toBeVisible();
  }).toPass({ timeout: patient(120_000) });
  await expect(inbox.getByText('Checkout 30.1 failed to deploy')).toBeVisible();
  await expect(inbox.getByText('New feedback about Checkout')).toBeVisible();

  // A completed item stays completed after a reload; one completed by mistake can be restored.
  await inbox
    .getByRole('button', {
      name: 'Mark as done: New feedback about Checkout',
    })
    .click();
  await expect(inbox.getByRole('button', { name: 'Undo' })).toBeVisible();
  await page.reload();
  await expect(inbox.getByText('Carts are lost')).toBeVisible();
  await expect(inbox.getByText('New feedback about Checkout')).toBeHidden();
  await inbox.getByRole('button', { name: 'Show' }).click();
  await inbox
    .getByRole('button', {
      name: 'Move to inbox: New feedback about Checkout',
    })
    .click();

  await page
    .getByRole('link', { name: 'Checkout', exact: true })
    .first()
    .click();
  const part = (name: string) =>
    page.getByRole('region', { name, exact: true });
  await expect(
    part('Delivery').getByRole('link', { name: '30.0' }),
  ).toBeVisible();
  await expect(part('Delivery').getByText('Open incidents')).toBeVisible();
  await expect(
    part('Builds').getByRole('link', { name: /#1 succeeded/ }),
  ).toBeVisible();
  await expect(
    part('Flags').getByRole('link', {
      name: 'stop-payouts turned on in development',
    }),
  ).toBeVisible();
  await expect(
    part('Feedback').getByText('Average rating (30 d)'),
  ).toBeVisible();
  await expect(part('Analytics').getByText('People (30 d)')).toBeVisible();
  await expect(
    part('Workspaces').getByText(/slipway.dev\/devfile/),
  ).toBeVisible();

  const timeline = part('Timeline');
  await expect(
    timeline.getByRole('link', { name: 'Checkout 30.1 to prod', exact: true }),
  ).toBeVisible();
  await timeline.getByRole('button', { name: /Incidents/ }).click();
  await expect(page).toHaveURL(/show=incident/);
  await expect(
    timeline.getByRole('link', { name: 'Checkout 30.1 to prod', exact: true }),
  ).toBeHidden();
  // The incident names the preceding deployment.
  await timeline
    .getByRole('link', { name: /^Deployment: Checkout 30\.0/ })
    .click();
  await expect(page).toHaveURL(/\/delivery\/deployments\/deploy-/);
});

testAccessiblePages('entities', {
  user: 'Grace',
  pages: [
    [COMPONENT, 'Change failure rate (30 d)'],
    [`${COMPONENT}/dependencies`, 'Payments API'],
    [`${COMPONENT}/delivery`, 'Deployments'],
    ['/catalog/default/system/shop', 'Change failure rate (30 d)'],
    ['/catalog/default/group/payments', 'Change failure rate (30 d)'],
  ],
});
