import { createReadStream } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { addresses } from '../src/addresses.ts';
import { serveLocally } from './serveLocally.ts';

const { analytics } = addresses.services;

/** The folder of the npm packages that pages load. */
const packages = path.join(
  fileURLToPath(import.meta.resolve('posthog-js-lite')),
  '../../..',
);

const BUY = `<button onclick="posthog.identify('ada', { plan: 'pro' }); posthog.capture('bought', { price: 3 })">Buy</button>`;

/**
 * A page with PostHog's snippet: it loads posthog-js from the service, and queues calls until it is
 * loaded.
 */
const snippet = (run: string) => `<!doctype html>
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
    // Tests click fast enough to be taken for rage clicks.
    rageclick: false,
    loaded: loaded => loaded.register({ run: '${run}' }),
  });
</script>
<h1>Shop</h1>
${BUY}`;

/** A page with posthog-js-lite as it comes from npm. */
const lite = (run: string) => `<!doctype html>
<title>Shop</title>
<script type="importmap">
  { "imports": { "@posthog/core": "/packages/@posthog/core/dist/index.mjs" } }
</script>
<script type="module">
  import PostHog from '/packages/posthog-js-lite/dist/index.mjs';
  window.posthog = new PostHog('phc_dev_project_key', { host: '${analytics}' });
  posthog.register({ run: '${run}' });
  posthog.capture('$pageview');
</script>
<h1>Shop</h1>
${BUY}`;

/** Serves a shop whose page uses an SDK of PostHog, on a separate origin. */
export async function serveShop(
  sdk: 'snippet' | 'lite',
  run: string,
): Promise<{ url: string; close(): void }> {
  const page = sdk === 'lite' ? lite(run) : snippet(run);
  return serveLocally(({ url = '/' }, response) => {
    const [, file] = /^\/packages\/([\w@./-]+\.mjs)$/.exec(url) ?? [];
    if (file === undefined) {
      response.setHeader('content-type', 'text/html');
      response.end(page);
    } else {
      response.setHeader('content-type', 'text/javascript');
      createReadStream(path.join(packages, file))
        .on('error', () => response.writeHead(404).end())
        .pipe(response);
    }
  });
}
