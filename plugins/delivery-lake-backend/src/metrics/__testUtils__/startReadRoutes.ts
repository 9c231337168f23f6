import {
  coreServices,
  createBackendPlugin,
  ServiceFactory,
} from '@backstage/backend-plugin-api';
import {
  mockCredentials,
  mockServices,
  startTestBackend,
} from '@backstage/backend-test-utils';
import { contractHttpRouterFactory } from '@slipway/portal-kit';
import type { Knex } from 'knex';
import request from 'supertest';
import { ServiceMatch } from '../../catalog/ServiceDirectory';
import { readDeliveryLakeConfig } from '../../config';
import { HistoryService } from '../../history/HistoryService';
import { createHistoryRoutes } from '../../history/routes';
import { OverviewService } from '../../overview/OverviewService';
import { createOverviewRoutes } from '../../overview/routes';
import { DatabaseDeploymentHistory } from '../../storage/DatabaseDeploymentHistory';
import { DatabaseIncidentHistory } from '../../storage/DatabaseIncidentHistory';
import { DatabaseMetricsStore } from '../../storage/DatabaseMetricsStore';
import { DatabaseOverviewStore } from '../../storage/DatabaseOverviewStore';
import { DatabaseServiceStore } from '../../storage/services';
import { DoraService } from '../DoraService';
import { createMetricsRoutes } from '../routes';
import { FakeDeriver, FakeDirectory } from './fakes';

/** Starts the read routes at a fixed time, on a database that the test fills. */
export async function startReadRoutes(options: {
  now: number;
  /** The migrated database. */
  knex: Knex;
  /** Fills the database. */
  fill?: (db: Knex) => Promise<unknown>;
  config?: object;
  directory?: Record<string, ServiceMatch>;
  features?: ServiceFactory[];
}) {
  const deriver = new FakeDeriver();
  const plugin = createBackendPlugin({
    pluginId: 'delivery-lake',
    register(env) {
      env.registerInit({
        deps: {
          auth: coreServices.auth,
          discovery: coreServices.discovery,
          httpAuth: coreServices.httpAuth,
          httpRouter: coreServices.httpRouter,
          permissions: coreServices.permissions,
          rootConfig: coreServices.rootConfig,
          userInfo: coreServices.userInfo,
        },
        async init({
          auth,
          discovery,
          httpAuth,
          httpRouter,
          permissions,
          rootConfig,
          userInfo,
        }) {
          const db = options.knex;
          await options.fill?.(db);
          const shared = {
            services: new DatabaseServiceStore(db),
            directory: new FakeDirectory(options.directory),
            config: readDeliveryLakeConfig(rootConfig),
            ...{ deriver, discovery, now: () => options.now },
          };
          const http = { httpAuth, permissions };
          const store = new DatabaseMetricsStore(db);
          const dora = new DoraService({ ...shared, store });
          httpRouter.use(createMetricsRoutes({ ...http, service: dora }));
          const history = new HistoryService({
            ...shared,
            deployments: new DatabaseDeploymentHistory(db),
            incidents: new DatabaseIncidentHistory(db),
          });
          httpRouter.use(
            createHistoryRoutes({ ...http, auth, userInfo, service: history }),
          );
          const overview = new OverviewService({
            ...shared,
            store: new DatabaseOverviewStore(db),
          });
          httpRouter.use(createOverviewRoutes({ ...http, service: overview }));
        },
      });
    },
  });
  const { server } = await startTestBackend({
    features: [
      plugin,
      contractHttpRouterFactory,
      mockServices.rootConfig.factory({
        data: {
          backend: { baseUrl: 'http://localhost:7007' },
          deliveryLake: options.config ?? {},
        },
      }),
      ...(options.features ?? []),
    ],
  });
  const call = (
    method: 'get' | 'post' | 'delete',
    path: string,
    authorization: string = mockCredentials.user.header('user:default/ada'),
  ) =>
    request(server)
      [method](`/api/delivery-lake${path}`)
      .set('Authorization', authorization);
  return { call, deriver, get: (path: string) => call('get', path) };
}
