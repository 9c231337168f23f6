import { randomBytes } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  coreServices,
  createBackendModule,
} from '@backstage/backend-plugin-api';

/** Timeout of one connection attempt, in milliseconds. */
const ANSWER_MS = 1_000;
const PAUSE_MS = 200;
const ATTEMPTS = 25;

/** An HTTP server with `shouldUpgradeCallback`, which is missing from its type. */
type UpgradingServer = http.Server & {
  shouldUpgradeCallback?: (request: http.IncomingMessage) => boolean;
};

/**
 * Connects to the signals plugin once at startup, because it does not respond to its first
 * connection, which would otherwise be a browser's. Upgrade requests to other paths are no longer
 * treated as upgrades, because the plugin would leave them unanswered.
 */
export const openSignalsModule = createBackendModule({
  pluginId: 'signals',
  moduleId: 'open-signals',
  register(env) {
    env.registerInit({
      deps: {
        discovery: coreServices.discovery,
        httpRouter: coreServices.httpRouter,
        lifecycle: coreServices.lifecycle,
        logger: coreServices.logger,
      },
      async init({ discovery, httpRouter, lifecycle, logger }) {
        const url = await discovery.getBaseUrl('signals');
        const { pathname } = new URL(url);
        httpRouter.use((req, _res, next) => {
          const { server } = req.socket as unknown as {
            server?: UpgradingServer;
          };
          if (server) {
            server.shouldUpgradeCallback = request => request.url === pathname;
          }
          next();
        });
        const open = async () => {
          for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
            if (await connects(url)) {
              return;
            }
            await sleep(PAUSE_MS);
          }
          logger.warn('The signals plugin accepts no connections');
        };
        // Not awaited: the portal responds only once it has started.
        lifecycle.addStartupHook(() => void open());
      },
    });
  },
});

/** Opens a connection, closes it, and returns whether it was accepted. */
function connects(url: string): Promise<boolean> {
  return new Promise(resolve => {
    const { request } = url.startsWith('https:') ? https : http;
    const attempt = request(url, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
      },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    attempt.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve(true);
    });
    attempt.on('response', response => {
      response.resume();
      resolve(false);
    });
    attempt.on('error', () => resolve(false));
    attempt.end();
  });
}
