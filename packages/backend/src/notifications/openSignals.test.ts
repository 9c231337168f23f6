import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestBackend } from '@backstage/backend-test-utils';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import { openSignalsModule } from './openSignals';

/** Time after which the module has connected, in milliseconds. */
const OPENED_MS = patient(2_000);

/** Returns whether a connection for signals opens in time. */
function opens(port: number, limitMs = patient(10_000)): Promise<boolean> {
  const socket = new WebSocket(`ws://localhost:${port}/api/signals`);
  return new Promise<boolean>(resolve => {
    socket.onopen = () => resolve(true);
    socket.onerror = () => resolve(false);
    setTimeout(() => resolve(false), limitMs);
  }).finally(() => socket.close());
}

// Once this fails, the plugin accepts its first connection, and the module can be removed.
it('is needed, as the signals plugin never answers its first connection', async () => {
  const { server } = await startTestBackend({
    features: [import('@backstage/plugin-signals-backend')],
  });
  await sleep(OPENED_MS);
  expect(await opens(server.port(), 2_000)).toBe(false);
  expect(await opens(server.port())).toBe(true);
});

it('lets the first connection of a browser open', async () => {
  const { server } = await startTestBackend({
    features: [import('@backstage/plugin-signals-backend'), openSignalsModule],
  });
  await sleep(OPENED_MS);
  expect(await opens(server.port())).toBe(true);
});

it('leaves requests to other paths that ask for an upgrade to their routes', async () => {
  const { server } = await startTestBackend({
    features: [import('@backstage/plugin-signals-backend'), openSignalsModule],
  });
  await sleep(OPENED_MS);
  for (const upgrade of ['h2c', 'websocket']) {
    const status = await new Promise((resolve, reject) => {
      http
        .get(
          {
            port: server.port(),
            path: '/api/none',
            headers: { connection: 'upgrade', upgrade },
            timeout: patient(10_000),
          },
          response => resolve(response.resume().statusCode),
        )
        .on('timeout', () => reject(new Error('No response')))
        .on('error', reject);
    });
    expect(status).toBe(404);
  }
});
