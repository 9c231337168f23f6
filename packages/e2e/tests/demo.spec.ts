import {
  type APIRequestContext,
  expect,
  type Page,
  test,
} from '@playwright/test';
import { addresses } from '../src/addresses.ts';
import { expectAgreement } from './expectAgreement.ts';
import { signIn } from './signIn.ts';
import { testLoop } from './testLoop.ts';
import { patient } from '@slipway/dev-runner/src/patience.ts';

// One demo for all: it is loaded first and removed last.
test.describe.configure({ mode: 'serial' });

const api = `${addresses.api}/api`;

async function tokenOf(request: APIRequestContext, user: string) {
  const answer = await request.get(`${api}/auth/dev/refresh?user=${user}`);
  const { backstageIdentity } = await answer.json();
  return { authorization: `Bearer ${backstageIdentity.token}` };
}

/** Counts the data in every part, for comparison before and after. */
async function stateOf(request: APIRequestContext) {
  const headers = await tokenOf(request, 'ada');
  const read = async (url: string) => {
    const answer = await request.get(url, { headers });
    expect(answer.status(), url).toBe(200);
    return answer.json();
  };
  const proxy = `${api}/proxy`;
  const lake = await read(`${api}/delivery-lake/status`);
  const { features } = await read(`${proxy}/feature-flags/api/admin/features`);
  const { projects } = await read(`${proxy}/feature-flags/api/admin/projects`);
  const { jobs } = await read(`${proxy}/build-server/api/json?tree=jobs[name]`);
  const feedback = await read(`${proxy}/feedback/api/v1/feedback`);
  const analytics = await read(`${proxy}/analytics/api/projects`);
  const space = await read(`${proxy}/space-metrics/api/v1/teams`);
  const { workspaces } = await read(`${api}/ide-launcher/workspaces`);
  const catalog = await read(
    `${api}/catalog/entities?filter=metadata.namespace=demo&fields=metadata.name`,
  );
  const { notifications } = await read(
    `${api}/notifications/notifications?limit=500`,
  );
  const isAboutDemo = ({ payload }: { payload: { scope: string | null } }) =>
    payload.scope?.includes(':demo/') ?? false;
  const ids = (list: { id?: string; name?: string }[]) =>
    list.map(({ id, name }) => id ?? name).sort();
  return {
    lake: [lake.deployments, lake.changes, lake.incidents],
    flags: ids(features),
    flagProjects: ids(projects),
    jobs: ids(jobs),
    feedback: feedback.pagination.total,
    analytics: ids(analytics.projects),
    teams: JSON.stringify(space),
    workspaces: ids(workspaces),
    catalog: catalog.length,
    notifications: ids(notifications.filter(isAboutDemo)),
  };
}

async function expectPage(
  page: Page,
  path: string,
  texts: (string | RegExp)[],
): Promise<void> {
  // The lake learns the owners of services from the catalog, some time after it has the entities.
  await expect(async () => {
    await page.goto(path);
    await expect(
      page.getByRole('complementary', { name: 'Demo organisation' }),
    ).toBeVisible();
    for (const text of texts) {
      await expect(
        page.getByRole('main').getByText(text).first(),
        `${text} on ${path}`,
      ).toBeVisible({ timeout: patient(15_000) });
    }
  }).toPass({ timeout: patient(120_000) });
}

/** Removes the data that a failed attempt has left, so that the next one can load the demo. */
async function removeDemo(request: APIRequestContext): Promise<void> {
  const headers = await tokenOf(request, 'ada');
  const url = `${api}/demo/organisation`;
  const phase = async () =>
    (await (await request.get(url, { headers })).json()).phase;
  if ((await phase()) !== 'absent') {
    await request.delete(url, { headers });
    await expect.poll(phase, { timeout: patient(120_000) }).toBe('absent');
  }
}

/** State before the demo was loaded. */
let before: Awaited<ReturnType<typeof stateOf>>;

test.beforeAll(async ({ request }) => {
  await removeDemo(request);
  before = await stateOf(request);
});

test('the demo organisation fills every page, and its numbers agree', async ({
  page,
  request,
}) => {
  await signIn(page, 'Ada');
  await page
    .getByRole('button', { name: 'Load the demo organisation' })
    .click();
  await expect(
    page.getByRole('list', { name: 'Progress of the demo organisation' }),
  ).toBeVisible();
  await expect(page.getByText('are invented')).toBeVisible({
    timeout: patient(180_000),
  });

  const headers = await tokenOf(request, 'ada');
  const json = async (url: string) =>
    (await request.get(url, { headers })).json();
  const loaded = await stateOf(request);
  expect(loaded.catalog).toBe(209);
  expect(loaded.jobs.length).toBe(before.jobs.length + 80);
  expect(loaded.workspaces.length).toBe(before.workspaces.length + 4);

  // Each deployment of a service is a successful build, and the cockpit agrees.
  for (const name of ['checkout-api', 'billing-api', 'warehouse-api']) {
    const { total } = await json(
      `${api}/delivery-lake/deployments?service=demo/${name}&status=SUCCESS&limit=1&startDate=2020-01-01`,
    );
    const { allBuilds } = await json(
      `${api}/proxy/build-server/job/demo-${name}/api/json?tree=allBuilds[result]`,
    );
    const succeeded = allBuilds.filter(
      ({ result }: { result: string }) => result === 'SUCCESS',
    );
    expect(succeeded.length, name).toBe(total);
    // Parts learn about components from the catalog, some time after it has the entities.
    await expect(() => expectAgreement(name, { json, api })).toPass({
      timeout: patient(120_000),
    });
  }

  await expectPage(page, '/', ['Needs you']);
  await expectPage(page, '/catalog/demo/component/checkout-api', [
    'Checkout API',
    'Timeline',
  ]);
  await expectPage(page, '/api-docs', ['Payments API', 'Order events']);
  await expectPage(page, '/catalog/demo/api/payments/definition', [
    'Capture an authorised payment',
  ]);
  await expectPage(page, '/catalog/demo/resource/billing-database', [
    'Payments, invoices and refunds.',
  ]);
  await expectPage(page, '/delivery', [/Fulfilment/]);
  await expectPage(page, '/experience', [/Satisfaction/]);
  await expectPage(page, '/flags', ['demo.gift-cards']);
  await expectPage(page, '/builds', ['demo-checkout-api']);
  await expectPage(page, '/feedback/triage', [/page|order|load/i]);
  // The project is selected next to the title.
  await expectPage(page, '/analytics', [/[Ee]vents/]);
  await expectPage(page, '/analytics/dashboards?project=demo', [
    'Customers who come back',
  ]);
  await expectPage(page, '/workspaces', ['demo-split-payments']);
});

testLoop();

test('the demo organisation leaves no trace', async ({ page, request }) => {
  await signIn(page, 'Ada');
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove demo organisation' }).click();
  await expect(
    page.getByRole('complementary', { name: 'Demo organisation' }),
  ).toBeHidden({ timeout: patient(120_000) });
  expect(await stateOf(request)).toEqual(before);
});
