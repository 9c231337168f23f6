import { expect } from '@playwright/test';
import { addresses } from '../src/addresses.ts';
import { continueAs } from './signIn.ts';
import { test } from './test.ts';
import { testAccessiblePages } from './testAccessiblePages.ts';
import { patient } from '@slipway/dev-runner/src/patience.ts';

test('an event of a product appears automatically, and can be queried', async ({
  page,
  request,
}) => {
  const name = `e2e ${Date.now()}`;
  // The row itself contains a 1 in the name of the event.
  const count = page
    .getByRole('row', { name })
    .getByRole('gridcell', { name: '1', exact: true });

  await test.step('grace watches', async () => {
    await continueAs(page, 'Grace');
    await page.goto('/analytics');
    await expect(
      page.getByRole('heading', { name: 'Analytics' }),
    ).toBeVisible();
  });

  await test.step('a product sends', async () => {
    const captured = await request.post(
      `${addresses.services.analytics}/api/capture`,
      {
        data: {
          api_key: 'phc_dev_project_key',
          event: name,
          distinct_id: 'user-1',
          properties: { plan: 'pro' },
        },
      },
    );
    expect(captured.status()).toBe(200);
    await page.getByRole('row', { name }).click();
    await expect(
      page.getByRole('complementary', { name }).getByText('pro'),
    ).toBeVisible();
  });

  await test.step('grace sees whom a chart counts', async () => {
    await page.goto(`/analytics/insights?events=${encodeURIComponent(name)}`);
    await page.getByRole('link', { name: /: 1(,|$)/ }).click();
    await expect(
      page.getByRole('complementary', { name }).getByText('user-1').first(),
    ).toBeVisible();
  });

  await test.step('grace runs a query, which the address contains', async () => {
    await page.goto('/analytics/query');
    await page.getByRole('textbox', { name: 'Columns' }).fill('event, count()');
    await page
      .getByRole('textbox', { name: 'Filters' })
      .fill(`event = '${name}'`);
    await page.getByRole('button', { name: 'Run' }).click();
    await expect(count).toBeVisible();
    await page.reload();
    await expect(count).toBeVisible();
  });

  await test.step('an invalid query is reported', async () => {
    await page.getByRole('textbox', { name: 'Columns' }).fill('system()');
    await page.getByRole('button', { name: 'Run' }).click();
    await expect(page.getByText(/which is not available/)).toBeVisible();
  });

  await test.step('she writes it in SQL, and saves it', async () => {
    await page.getByRole('radio', { name: 'SQL' }).click();
    const field = page.getByRole('textbox', { name: 'Query' });
    await field.fill('SELECT event, count() AS total\nFROM events');
    await page
      .getByRole('button', { name: /Insert event or property/ })
      .click();
    await page.getByRole('searchbox').fill('properties.plan');
    await page
      .getByRole('option', { name: 'properties.plan', exact: true })
      .click();
    await expect(field).toHaveValue(/events ?properties\.plan$/);
    await expect(field).toBeFocused();
    await field.fill(
      `SELECT event, count() AS total FROM events WHERE event = '${name}' GROUP BY event`,
    );
    await field.press('Control+Enter');
    await expect(count).toBeVisible();
    await page.getByRole('button', { name: 'Save insight' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('button', { name: 'Save insight' }).click();
    await expect(page.getByRole('grid', { name })).toBeVisible();
    await page.reload();
    await expect(field).toHaveValue(new RegExp(name));
    await expect(count).toBeVisible();
  });
});

test('ada creates and revokes a key; grace may not', async ({
  openOtherProfile,
  page,
  request,
}) => {
  await continueAs(page, 'Ada');
  await page.goto('/analytics/settings');
  await page.getByRole('button', { name: 'Create key or token' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('e2e key');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Create key or token' })
    .click();
  const secret = await page
    .getByRole('dialog')
    .getByText(/^phc_[\w-]{20,}$/)
    .textContent();
  await page.getByRole('button', { name: 'Done' }).click();
  const send = async () => {
    const response = await request.post(
      `${addresses.services.analytics}/api/capture`,
      {
        data: { api_key: secret, event: 'by key', distinct_id: 'user-2' },
      },
    );
    return response.status();
  };
  expect(await send()).toBe(200);

  const grace = await openOtherProfile();
  await continueAs(grace, 'Grace');
  await grace.goto('/analytics/settings');
  await expect(grace.getByRole('row', { name: 'e2e key' })).toBeVisible();
  await expect(grace.getByRole('button', { name: /Revoke/ })).toHaveCount(0);

  await page.getByRole('button', { name: 'Revoke e2e key' }).click();
  await page
    .getByRole('button', { name: 'Revoke', exact: true })
    .last()
    .click();
  await expect(page.getByRole('row', { name: 'e2e key' })).toHaveCount(0);
  expect(await send()).toBe(401);
});

test('only admins see the usage of the portal, without user names', async ({
  page,
  request,
}) => {
  await continueAs(page, 'Ada');
  // No events are sent about a user before the service has assigned a pseudonym.
  const named = page.waitForResponse(/\/analytics\/api\/pseudonym$/);
  await page.goto('/analytics/query');
  await named;
  await page.getByRole('link', { name: 'Catalog' }).first().click();
  await expect(
    page.getByRole('main').getByText('entities').first(),
  ).toBeVisible();
  // Leaving the page sends pending events.
  await page.goto('about:blank');
  const ask = async (select: string[], user = 'ada') => {
    const session = await request.get(
      `${addresses.api}/api/auth/dev/refresh?user=${user}`,
      { headers: { 'x-requested-with': 'XMLHttpRequest' } },
    );
    const { token } = (await session.json()).backstageIdentity;
    return request.post(
      `${addresses.services.analytics}/api/projects/portal/query`,
      {
        headers: { authorization: `Bearer ${token}` },
        data: {
          query: {
            kind: 'EventsQuery',
            select,
            event: '$pageview',
          },
        },
      },
    );
  };
  const pages = ['properties.$pathname', 'properties', '*'];
  await expect
    .poll(async () => (await ask(pages)).text(), { timeout: patient(15_000) })
    .toContain('/catalog');
  const seen = await (await ask(pages)).text();
  expect(seen).not.toMatch(/user:default|@/);
  expect(seen).toContain('"distinct_id":null');
  expect((await ask(['distinct_id'])).status()).toBe(403);
  expect((await ask(pages, 'grace')).status()).toBe(403);
});

test('ada builds a funnel and puts it on a dashboard, which grace opens by its address', async ({
  openOtherProfile,
  page,
  request,
}) => {
  const run = Date.now();
  const [cart, paid] = [`cart ${run}`, `paid ${run}`];
  const name = `Checkout ${run}`;
  const event = (of: string, user: number) => ({
    event: of,
    distinct_id: `user-${run}-${user}`,
  });
  await request.post(`${addresses.services.analytics}/api/batch`, {
    data: {
      api_key: 'phc_dev_project_key',
      batch: [1, 2, 3, 4].map(user => event(cart, user)).concat(event(paid, 2)),
    },
  });
  const choose = async (label: string, option: string) => {
    // The name of the button is the chosen value and the label.
    await page
      .getByRole('button', { name: new RegExp(`^(?!Save).*${label}$`) })
      .click();
    // The list of the previous choice may still be closing.
    await page
      .getByRole('listbox', { name: label })
      .getByRole('option', { name: option, exact: true })
      .click();
  };

  await test.step('ada builds and saves the funnel', async () => {
    await continueAs(page, 'Ada');
    await page.goto('/analytics/insights');
    await choose('Insight', 'Funnel');
    await choose('Step 1', cart);
    await choose('Step 2', paid);
    await expect(page.getByRole('row', { name: `2. ${paid}` })).toContainText(
      '25%',
    );
    await page.getByRole('button', { name: 'Save insight' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('button', { name: 'Save insight' }).click();
    await expect(page.getByRole('heading', { name })).toBeVisible();
  });

  await test.step('ada puts it on a dashboard', async () => {
    await page.getByRole('link', { name: 'Dashboards' }).click();
    await page.getByRole('button', { name: 'Create dashboard' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('button', { name: 'Create dashboard' }).click();
    await expect(page.getByText('No insights')).toBeVisible();
    await choose('Add insight', name);
    await expect(page.getByRole('row', { name: `2. ${paid}` })).toBeVisible();
  });

  await test.step('grace opens the address, and cannot change it', async () => {
    const grace = await openOtherProfile();
    await continueAs(grace, 'Grace');
    await grace.goto(page.url());
    await expect(grace.getByRole('heading', { name })).toBeVisible();
    await expect(grace.getByRole('row', { name: `2. ${paid}` })).toContainText(
      '25%',
    );
    await expect(
      grace.getByRole('button', { name: 'Delete dashboard' }),
    ).toHaveCount(0);
    await grace.getByRole('link', { name: `Open ${name}` }).click();
    await expect(grace).toHaveURL(/insights\?.*kind=FunnelsQuery/);
  });
});

const INVALID = 'SELECT%20sleep(3)%20FROM%20events';

testAccessiblePages('analytics', {
  user: 'Ada',
  pages: [
    ['/analytics', 'event'],
    ['/analytics/query', 'Columns'],
    ['/analytics/query?language=sql', 'Events per day'],
    [`/analytics/query?language=sql&sql=${INVALID}`, 'Go to line 1, column 8'],
    ['/analytics/web', 'Bounce rate'],
    ['/analytics/insights', 'Break down by'],
    ['/analytics/dashboards', 'Create dashboard'],
    ['/analytics/settings', 'Connect a product'],
    ['/analytics/connect', 'With curl'],
    ['/analytics/health', 'Events per minute'],
    ['/analytics/cohorts', 'Create cohort'],
    ['/analytics/groups', 'group'],
    ['/analytics/destinations', 'Create destination'],
  ],
});
