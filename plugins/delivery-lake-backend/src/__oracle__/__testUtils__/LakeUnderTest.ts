import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { mockServices } from '@backstage/backend-test-utils';
import { ConfigReader } from '@backstage/config';
import { DoraMetricsResponse } from '@slipway/plugin-delivery-lake-common';
import express from 'express';
import type { Knex } from 'knex';
import request from 'supertest';
import { ServiceDirectory } from '../../catalog/ServiceDirectory';
import { readDeliveryLakeConfig } from '../../config';
import { createDeliveryLake } from '../../createDeliveryLake';
import { createIngestRoutes } from '../../ingest/routes';
import { createMetricsRoutes } from '../../metrics/routes';
import { RawEvent } from '../RawEvent';

/** A time after all events of the histories. */
const NOW = Date.parse('2026-12-01T00:00:00Z');

/** Owners of the services. */
export const TEAM_OF: Readonly<Record<string, string>> = {
  shop: 'sales',
  cart: 'sales',
  search: 'finding',
};

const directory: ServiceDirectory = {
  find: name =>
    name in TEAM_OF
      ? {
          match: 'known',
          ownership: {
            entityRef: `component:default/${name}`,
            team: `group:default/${TEAM_OF[name]}`,
            project: null,
          },
        }
      : { match: 'unknown', candidates: [] },
  titleOf: entityRef => entityRef,
  onChange: () => {},
  refresh: async () => {},
};

/** The lake as assembled in production, behind its own routes, with a database of the test. */
export class LakeUnderTest {
  /** Already listening, because otherwise each request would open a port. */
  readonly #server: Server;
  readonly #stop: () => Promise<void>;

  private constructor(server: Server, stop: () => Promise<void>) {
    this.#server = server;
    this.#stop = stop;
  }

  /** @param knex - an empty database with the tables of the lake. */
  static async start(knex: Knex, timeZone: string): Promise<LakeUnderTest> {
    const lake = createDeliveryLake({
      knex,
      config: readDeliveryLakeConfig(
        new ConfigReader({ deliveryLake: { timeZone } }),
      ),
      directory,
      discovery: mockServices.discovery(),
      logger: mockServices.rootLogger(),
      now: () => NOW,
    });
    const guarded = {
      httpAuth: mockServices.httpAuth(),
      permissions: mockServices.permissions(),
    };
    const app = express();
    app.use(createIngestRoutes({ ...guarded, service: lake.ingest }));
    app.use(createMetricsRoutes({ ...guarded, service: lake.dora }));
    const server = app.listen(0);
    return new LakeUnderTest(server, async () => {
      await promisify(server.close.bind(server))();
      await lake.stop();
      await knex.destroy();
    });
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  /** Posts events to the route of their kind. @throws Error if one is rejected. */
  async send(events: RawEvent[]): Promise<void> {
    for (const kind of ['deployment', 'change', 'incident'] as const) {
      const items = events.filter(event => event.kind === kind);
      if (items.length > 0) {
        const { status, body } = await request(this.#server)
          .post(`/${kind}s`)
          .set('authorization', 'Bearer mock-service-token')
          .send(items);
        if (status !== 200 || body.rejected > 0) {
          throw new Error(`${status} ${JSON.stringify(body)}`);
        }
      }
    }
  }

  /** Requests metrics. */
  async ask(query: Record<string, string>): Promise<DoraMetricsResponse> {
    const { status, body } = await request(this.#server)
      .get('/dora-metrics')
      .set('authorization', 'Bearer mock-service-token')
      .query(query);
    if (status !== 200) {
      throw new Error(`${status} ${JSON.stringify(body)}`);
    }
    return body;
  }
}
