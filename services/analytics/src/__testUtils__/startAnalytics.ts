import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chdb, findToolsFolder, ToolInstaller } from '@slipway/managed-tools';
import type { Service } from '@slipway/service-kit';
import { startTestService } from '@slipway/service-kit/testing';
import type { EngineName } from '../store/EventStore.ts';
import { clickhouseUrl, eventsConfig } from './clickhouseSetup.ts';
import { defineAnalytics } from '../service.ts';

export const PROJECT_KEY = 'phc_test_key';
export const OTHER_KEY = 'phc_test_other_key';
export const API_TOKEN = 'phx_test_token';
export const OTHER_TOKEN = 'phx_test_other_token';

/** The installed chDB; undefined if it is not installed or does not run, and then it is not tested. */
export const chdbTool = new ToolInstaller({
  toolsFolder: findToolsFolder(),
}).find(chdb);

/** An engine, or ClickHouse with tables on a cluster. */
export type TestEngine = EngineName | 'clickhouse cluster';

/** The engines available on this machine, on which suites run. */
export const testEngines: EngineName[] = chdbTool
  ? ['sqlite', 'chdb']
  : ['sqlite'];

/** The engines available on this machine, and ClickHouse servers. */
export const allEngines: EngineName[] = clickhouseUrl()
  ? [...testEngines, 'clickhouse']
  : testEngines;

type StartOptions = NonNullable<Parameters<typeof startTestService>[1]>;

/** Starts the service with two projects, in a directory of its own. */
export async function startAnalytics(
  options: StartOptions & {
    engine?: EngineName;
    directory?: string;
    countSeconds?: number;
  } = {},
): Promise<Service> {
  const { config = {}, engine = 'sqlite', directory, ...others } = options;
  const { countSeconds, ...rest } = others;
  const own = directory ?? mkdtempSync(path.join(tmpdir(), 'analytics-'));
  const service = await startTestService(defineAnalytics(), {
    ...rest,
    config: {
      // Other tests may keep the machine busy.
      limits: { eventLoopDelay: 600_000 },
      // No server listens on this port.
      portal: { baseUrl: 'http://127.0.0.1:1' },
      events: {
        ...eventsConfig(engine, own),
        ...(countSeconds && { countSeconds }),
      },
      projects: [
        {
          id: 'shop',
          name: 'Shop',
          keys: [{ name: 'test', key: PROJECT_KEY }],
          apiTokens: [{ name: 'test', key: API_TOKEN }],
        },
        {
          id: 'other',
          name: 'Other',
          keys: [{ name: 'test', key: OTHER_KEY }],
          apiTokens: [{ name: 'test', key: OTHER_TOKEN }],
        },
      ],
      ...config,
    },
  });
  return {
    app: service.app,
    start: () => service.start(),
    async stop() {
      await service.stop();
      if (directory === undefined) {
        rmSync(own, { recursive: true, force: true });
      }
    },
  };
}

/** The key and the token of a client's project. */
interface ProjectAccess {
  readonly key: string;
  readonly token: string;
}

/** Returns functions that send requests to a service under test, with key and token. */
export function clientOf(
  { app }: Service,
  project: ProjectAccess = { key: PROJECT_KEY, token: API_TOKEN },
) {
  return {
    async post(
      url: string,
      payload: unknown,
      headers: Record<string, string> = {},
    ) {
      const response = await app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', ...headers },
        payload:
          typeof payload === 'string' || Buffer.isBuffer(payload)
            ? payload
            : JSON.stringify(payload),
      });
      return {
        status: response.statusCode,
        body: response.json(),
        headers: response.headers,
      };
    },
    capture(event: object, key = project.key) {
      return this.post('/api/capture', { api_key: key, ...event });
    },
    batch(batch: object[], key = project.key) {
      return this.post('/api/batch', { api_key: key, batch });
    },
    query(query: object, token = project.token) {
      return this.post(
        '/api/query',
        { query: { kind: 'EventsQuery', ...query } },
        { authorization: `Bearer ${token}` },
      );
    },
    insight(query: object) {
      return this.post(
        '/api/query',
        { query },
        { authorization: `Bearer ${project.token}` },
      );
    },
    /** Returns the number of events. */
    async count(token = project.token): Promise<number> {
      const { body } = await this.query(
        { select: ['count()'], after: 'all' },
        token,
      );
      return body.results[0][0];
    },
  };
}
