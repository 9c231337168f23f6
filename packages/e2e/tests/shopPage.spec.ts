import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { addresses } from '../src/addresses.ts';

const { analytics } = addresses.services;

/**
 * A page with PostHog's snippet: it loads posthog-js from the service, and queues calls until it is
 * loaded.
 */
const shopPage = (run: string) => `<!doctype html>
<title>Shop</title>
<script>
  window.posthog = [];
  posthog._i = [];
  posthog.__SV = 1;
  for (const method of ['capture', 'identify', 'register', 'reset']) {
    posthog[method] = (...values) => posthog.push([method, ...values]);
  }
  posthog.init = (key, options) => {
    const script = document.createElement('script');
    script.crossOrigin = 'anonymous';
    script.async = true;
    script.src = options.api_host + '/static/array.js';
    document.head.append(script);
    posthog._i.push([key, options, 'posthog']);
  };
  posthog.init('phc_dev_project_key', {
    api_host: '${analytics}',
    person_profiles: 'identified_only',
    // Automated browsers count as robots.
    opt_out_useragent_filter: true,
    loaded: loaded => loaded.register({ run: '${run}' }),
  });
</script>
<h1>Shop</h1>
<button onclick="posthog.identify('ada', { plan: 'pro' }); posthog.capture('bought', { price: 3 })">Buy</button>`;

test('a shop page with the snippet sends each action once', async ({
  page,
  request,
}) => {
  const run = `run-${Date.now()}`;
  const shop = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(shopPage(run));
  });
  await new Promise<void>(resolve => {
    shop.listen(0, '127.0.0.1', resolve);
  });
  const { port } = shop.address() as AddressInfo;
  const refused: string[] = [];
  page.on('response', response => {
    if (response.url().startsWith(analytics) && !response.ok()) {
      refused.push(`${response.status()} ${response.url()}`);
    }
  });

  await page.goto(`http://localhost:${port}/`);
  await page.waitForFunction('posthog.__loaded');
  // An identify event is sent at once, and leaving the page would abort it; the others wait.
  const identified = page.waitForResponse(/\/flags\//);
  await page.getByRole('button', { name: 'Buy' }).click();
  await identified;
  // Leaving the page sends pending events with a beacon.
  await page.goto('about:blank');
  shop.close();

  const counts = async () => {
    const answer = await request.post(`${analytics}/api/query`, {
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
  await expect.poll(counts, { timeout: 15_000 }).toEqual([
    ['$autocapture', 1, 1],
    ['$identify', 1, 1],
    ['$pageleave', 1, 1],
    ['$pageview', 1, 1],
    ['bought', 1, 1],
  ]);
  expect(refused).toEqual([]);
});
