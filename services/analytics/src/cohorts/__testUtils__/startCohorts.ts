import type { Database, Service } from '@slipway/service-kit';
import { FakePortal } from '@slipway/service-kit/testing';
import {
  clientOf,
  startAnalytics,
} from '../../__testUtils__/startAnalytics.ts';
import type { EngineName } from '../../store/EventStore.ts';

const USERS = ['ada', 'lin', 'grace', 'joan'];
const PERSON_TOKEN = 'phx_test_persons';

/**
 * Starts the service with a project that `lin` and `grace` may read, one that hides people, and
 * `ada` as an admin.
 */
export async function startCohorts(
  options: {
    engine?: EngineName;
    database?: Database;
    now?: () => number;
  } = {},
) {
  const portal = await FakePortal.start({
    groups: {
      'user:default/ada': ['group:default/platform-admins'],
      'user:default/lin': ['group:default/research'],
      'user:default/grace': ['group:default/research'],
      'user:default/joan': ['group:default/payments'],
    },
  });
  const headers: Record<string, Record<string, string>> = {
    nobody: {},
    token: { authorization: `Bearer ${PERSON_TOKEN}` },
  };
  for (const name of USERS) {
    const token = await portal.token(`user:default/${name}`);
    headers[name] = { authorization: `Bearer ${token}` };
  }
  const readers = ['group:default/research'];
  const service: Service = await startAnalytics({
    ...options,
    config: {
      portal: { baseUrl: portal.baseUrl },
      projects: [
        {
          id: 'shop',
          name: 'Shop',
          readers,
          keys: [{ name: 'test', key: 'phc_test_key' }],
          apiTokens: [{ name: 'test', key: PERSON_TOKEN }],
        },
        { id: 'counted', name: 'Counted', readers, hidesPeople: true },
      ],
    },
  });
  // Carries out erasures.
  await service.start();
  const ask = async (
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    asked: {
      as?: string;
      project?: string;
      payload?: object;
      ifMatch?: string;
    } = {},
  ) => {
    const { as = 'lin', project = 'shop', payload, ifMatch } = asked;
    const response = await service.app.inject({
      method,
      url: `/api/projects/${project}${path && `/${path}`}`,
      headers: { ...headers[as], ...(ifMatch && { 'if-match': ifMatch }) },
      payload,
    });
    return {
      status: response.statusCode,
      body: response.json(),
      etag: String(response.headers.etag),
    };
  };
  return {
    ask,
    client: clientOf(service),
    /** Creates a cohort, and returns its id. */
    async create(payload: object): Promise<number> {
      const { status, body } = await ask('POST', 'cohorts', {
        payload: { name: 'Customers', ...payload },
      });
      expect([status, body.detail]).toEqual([201, undefined]);
      return body.id;
    },
    /** Returns the results of a query. */
    async results(query: object, more: object = {}) {
      const { status, body } = await ask('POST', 'query', {
        payload: { query, ...more },
      });
      expect([status, body.detail]).toEqual([200, undefined]);
      return body.results;
    },
    async stop() {
      await service.stop();
      await portal.stop();
    },
  };
}

/** Builds the filter by a cohort. */
export function inCohort(value: number, operator = 'in') {
  return { key: 'id', type: 'cohort', value, operator };
}

/** Builds the conditions of a cohort. */
export function filtersOf(values: object[], type = 'AND') {
  return { properties: { type, values } };
}

/** Builds the condition that people did something lately. */
export function did(key: string, more: object = {}) {
  return {
    type: 'behavioral',
    key,
    event_type: 'events',
    value: 'performed_event',
    time_value: 30,
    time_interval: 'day',
    ...more,
  };
}
