import { expect, type Page, test } from '@playwright/test';
import { addresses } from '../src/addresses.ts';
import { Outage } from '../src/Outage.ts';
import { serveShop } from './serveShop.ts';
import { patient } from '@slipway/dev-runner/src/patience.ts';

const { analytics } = addresses.services;

/** The service polls flags, so a new flag becomes known to it only after an interval. */
const FLAGS_MS = patient(60_000);

/**
 * Time until pages send again after the service was killed and restarted: they retry after pauses of
 * 3, 6, 12, 24 and 48 seconds.
 */
const RETURN_MS = patient(200_000);

/** Opens a shop, and collects the service's error responses. */
async function openShop(page: Page, sdk: 'snippet' | 'lite') {
  const run = `run-${Date.now()}`;
  const shop = await serveShop(sdk, run);
  const refused: string[] = [];
  page.on('response', response => {
    if (response.url().startsWith(analytics) && !response.ok()) {
      refused.push(`${response.status()} ${response.url()}`);
    }
  });
  await page.goto(shop.url);

  /** Returns the number of events and sessions by event. */
  const counts = async () => {
    const answer = await page.request.post(`${analytics}/api/query`, {
      headers: { authorization: 'Bearer phx_dev_api_token' },
      data: {
        query: {
          kind: 'EventsQuery',
          select: ['event', 'count()', 'uniq(properties.$session_id)'],
          where: [`properties.run = '${run}'`],
          orderBy: ['event'],
        },
      },
    });
    return (await answer.json()).results;
  };
  return { ...shop, refused, counts };
}

const buy = (page: Page) => page.getByRole('button', { name: 'Buy' }).click();

test('a shop page with the snippet sends each action once', async ({
  page,
}) => {
  const shop = await openShop(page, 'snippet');
  await page.waitForFunction('posthog.__loaded');
  // An identify event is sent immediately, and leaving the page would abort it; the others wait.
  const identified = page.waitForResponse(/\/flags\//);
  await buy(page);
  await identified;
  // Leaving the page sends pending events with a beacon.
  await page.goto('about:blank');
  shop.close();
  await expect.poll(shop.counts, { timeout: patient(15_000) }).toEqual([
    ['$autocapture', 1, 1],
    ['$identify', 1, 1],
    ['$pageleave', 1, 1],
    ['$pageview', 1, 1],
    ['bought', 1, 1],
  ]);
  expect(shop.refused).toEqual([]);
});

test('every action arrives once although the service is killed in the middle', async ({
  page,
}) => {
  const shop = await openShop(page, 'snippet');
  await page.waitForFunction('posthog.__loaded');
  await buy(page);
  const outage = await Outage.begin(Number(new URL(analytics).port));
  await buy(page);
  await buy(page);
  // Lets the page notice that it cannot send.
  await page.waitForEvent('requestfailed');
  await outage.end();
  const counted = expect.poll(
    async () => Object.fromEntries(await shop.counts().catch(() => [])),
    { timeout: RETURN_MS },
  );
  await counted.toMatchObject({ bought: 3, $autocapture: 3, $identify: 1 });
  await page.goto('about:blank');
  shop.close();
  await expect.poll(shop.counts, { timeout: patient(15_000) }).toEqual([
    ['$autocapture', 3, 1],
    ['$identify', 1, 1],
    ['$pageleave', 1, 1],
    ['$pageview', 1, 1],
    ['bought', 3, 1],
  ]);
});

test('a shop page gets its flags from the feature-flag service', async ({
  page,
  request,
}) => {
  const flag = `sale-${Date.now()}`;
  const admin = `${addresses.services['feature-flags']}/api/admin/features`;
  const headers = { authorization: '*:*.dev-admin-token' };
  await request.post(admin, { headers, data: { name: flag } });
  await request.post(`${admin}/${flag}/toggle/on`, { headers, data: {} });
  const shop = await openShop(page, 'snippet');
  await expect(async () => {
    await page.reload();
    await page.waitForFunction(
      `posthog.__loaded && posthog.isFeatureEnabled('${flag}')`,
      undefined,
      { timeout: patient(3_000) },
    );
  }).toPass({ timeout: FLAGS_MS });
  shop.close();
});

test('a page with posthog-js-lite sends each action once', async ({ page }) => {
  const shop = await openShop(page, 'lite');
  await page.waitForFunction('window.posthog');
  await buy(page);
  await expect.poll(shop.counts, { timeout: patient(30_000) }).toEqual([
    ['$identify', 1, 1],
    ['$pageview', 1, 1],
    ['bought', 1, 1],
  ]);
  expect(shop.refused).toEqual([]);
  shop.close();
});
