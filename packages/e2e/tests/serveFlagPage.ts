import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { addresses } from '../src/addresses.ts';
import { serveLocally } from './serveLocally.ts';

const sdk = readFileSync(
  fileURLToPath(
    new URL('main.min.js', import.meta.resolve('unleash-proxy-client')),
  ),
);

/**
 * Evaluates one flag for 16 users in Europe and 4 elsewhere, and lists those for whom it
 * is on.
 */
const page = (flag: string, clientKey: string) => `<!doctype html>
<title>Shop</title>
<script src="/sdk.js"></script>
<output></output>
<script>
  const users = Array.from({ length: 20 }, (_, index) =>
    (index < 16 ? 'eu-' : 'us-') + index);
  const clients = users.map(userId => new unleash.UnleashClient({
    url: '${addresses.services['feature-flags']}/api/frontend',
    clientKey: '${clientKey}',
    appName: 'shop-' + userId,
    refreshInterval: 2,
    storageProvider: new unleash.InMemoryStorageProvider(),
    context: { userId },
  }));
  const show = () => {
    document.querySelector('output').textContent = users
      .filter((_, index) => clients[index].isEnabled('${flag}'))
      .join(' ') || 'nobody';
  };
  for (const client of clients) {
    client.on('ready', show);
    client.on('update', show);
    client.start();
  }
</script>`;

/**
 * Serves a page that uses `unleash-proxy-client` as it comes from npm.
 *
 * @param options.token - frontend token.
 */
export async function serveFlagPage(options: {
  flag: string;
  token: string;
}): Promise<{ url: string; close(): void }> {
  return serveLocally((request, response) => {
    const isSdk = request.url === '/sdk.js';
    response.setHeader('content-type', isSdk ? 'text/javascript' : 'text/html');
    response.end(isSdk ? sdk : page(options.flag, options.token));
  });
}
