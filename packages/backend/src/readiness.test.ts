import {
  coreServices,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import { mockServices, startTestBackend } from '@backstage/backend-test-utils';
import catalogPlugin from '@backstage/plugin-catalog-backend';
import catalogModuleContract from '@slipway/plugin-catalog-backend-module-contract';
import deliveryLakePlugin from '@slipway/plugin-delivery-lake-backend';
import { createPortalRoot } from '@slipway/portal-kit';
import knexFactory, { type Knex } from 'knex';
import { serviceProxyPlugin } from './serviceProxy/plugin';

describe('GET /ready', () => {
  let later = performance.now();
  const databases: Record<string, Knex> = {};
  let url: string;

  beforeAll(async () => {
    const { server } = await startTestBackend({
      features: [
        catalogPlugin,
        catalogModuleContract,
        deliveryLakePlugin,
        serviceProxyPlugin,
        createPortalRoot({ version: '1', descriptions: {} }),
        mockServices.rootConfig.factory({
          data: { catalog: { processingInterval: false } },
        }),
        createServiceFactory({
          service: coreServices.database,
          deps: { plugin: coreServices.pluginMetadata },
          factory: ({ plugin }) => {
            const knex = knexFactory({
              client: 'better-sqlite3',
              connection: ':memory:',
              useNullAsDefault: true,
            });
            databases[plugin.getId()] = knex;
            return mockServices.database({ knex, migrations: { skip: false } });
          },
        }),
      ],
    });
    const { port } = server.address() as { port: number };
    url = `http://localhost:${port}/ready`;
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is 200 while every database is writable', async () => {
    expect((await fetch(url)).status).toBe(200);
  });

  it.each(['catalog', 'delivery-lake', 'proxy'])(
    'is 503 while the database of %s is read-only',
    async plugin => {
      // A successful write counts for some time.
      later += 60_000;
      vi.spyOn(performance, 'now').mockImplementation(() => later);
      await databases[plugin].raw('PRAGMA query_only = on');
      const answer = await fetch(url);
      expect(answer.status).toBe(503);
      expect(await answer.json()).toEqual({
        status: 'error',
        message: `The database of ${plugin} cannot be written`,
      });
      await databases[plugin].raw('PRAGMA query_only = off');
      expect((await fetch(url)).status).toBe(200);
    },
  );
});
