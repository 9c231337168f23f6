import {
  coreServices,
  createBackendPlugin,
} from '@backstage/backend-plugin-api';
import {
  mockCredentials,
  mockServices,
  startTestBackend,
} from '@backstage/backend-test-utils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { JsonObject } from '@backstage/types';
import { contractHttpRouterFactory } from '@slipway/portal-kit';
import {
  createWebhookRoutes,
  SIGNED_WEBHOOK_PATHS,
} from '../http/createWebhookRoutes';
import type { DatabaseConnectionStore } from '../../storage/DatabaseConnectionStore';
import { createConnectionRoutes } from '../../connections/routes';
import { lakeConfig } from './mapping';
import { RecordingIngest } from './RecordingIngest';

export const SERVICE = mockCredentials.service.header();
export const NOBODY = mockCredentials.none.header();
export const PERSON = mockCredentials.user.header('user:default/ada');

const NOW = Date.parse('2026-03-05T09:00:00Z');

/** The connection store of a lake without connections. */
const noConnections = {
  findRepository: async () => undefined,
  findWithSecret: async () => undefined,
  received: async () => {},
  receivedFrom: async () => {},
  refused: async () => {},
};

/** Starts the routes in a separate backend, behind the portal's credentials barrier. */
export async function startLake(
  options: {
    webhooks?: JsonObject;
    permitted?: boolean;
    connections?: DatabaseConnectionStore;
    /** The services that the names in trackers belong to. */
    deployed?: Readonly<Record<string, string>>;
  } = {},
) {
  const ingest = new RecordingIngest();
  const plugin = createBackendPlugin({
    pluginId: 'delivery-lake',
    register(env) {
      env.registerInit({
        deps: {
          httpAuth: coreServices.httpAuth,
          httpRouter: coreServices.httpRouter,
          permissions: coreServices.permissions,
        },
        async init({ httpAuth, httpRouter, permissions }) {
          for (const path of SIGNED_WEBHOOK_PATHS) {
            httpRouter.addAuthPolicy({ path, allow: 'unauthenticated' });
          }
          httpRouter.use(
            createWebhookRoutes({
              httpAuth,
              permissions,
              ingest,
              config: lakeConfig(options.webhooks),
              connections: options.connections ?? noConnections,
              deployed: {
                find: async names =>
                  names
                    .map(name => options.deployed?.[name])
                    .find(service => service !== undefined),
              },
              now: () => NOW,
            }),
          );
          if (options.connections) {
            httpRouter.use(
              createConnectionRoutes({
                httpAuth,
                permissions,
                store: options.connections,
                baseUrl: 'https://portal.example.org/api/delivery-lake',
                now: () => NOW,
              }),
            );
          }
        },
      });
    },
  });
  const backend = await startTestBackend({
    features: [
      plugin,
      contractHttpRouterFactory,
      mockServices.permissions.factory({
        result:
          options.permitted === false
            ? AuthorizeResult.DENY
            : AuthorizeResult.ALLOW,
      }),
    ],
  });
  return { server: backend.server, stop: () => backend.stop(), ingest };
}

export type Lake = Awaited<ReturnType<typeof startLake>>;
