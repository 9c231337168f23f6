import type { Service } from '@slipway/service-kit';
import { startTestService } from '@slipway/service-kit/testing';
import { featureFlags } from '../service.ts';

export const CLIENT_TOKEN = '*:development.test-client-token';
export const FRONTEND_TOKEN = '*:development.test-frontend-token';
export const ADMIN_TOKEN = '*:*.test-admin-token';

type StartOptions = NonNullable<Parameters<typeof startTestService>[1]>;

/** Starts the service, by default with one token of each type and without a portal. */
export function startFeatureFlags(
  options: StartOptions = {},
): Promise<Service> {
  const { config = {}, ...rest } = options;
  return startTestService(featureFlags, {
    ...rest,
    config: {
      // Long, because the machine may be busy with other tests.
      limits: { eventLoopDelay: 600_000 },
      // Nothing listens on this port.
      portal: { baseUrl: 'http://127.0.0.1:1' },
      tokens: [
        { name: 'test-client', type: 'client', token: CLIENT_TOKEN },
        { name: 'test-frontend', type: 'frontend', token: FRONTEND_TOKEN },
        { name: 'test-admin', type: 'admin', token: ADMIN_TOKEN },
      ],
      pollMs: 50,
      ...config,
    },
  });
}

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** Returns functions that send requests to a service under test. */
export function callsTo({ app }: Service) {
  const send = async (
    method: Method,
    url: string,
    options: {
      payload?: object | string;
      headers?: Record<string, string>;
      token?: string;
    } = {},
  ) => {
    const { payload, headers, token } = options;
    const response = await app.inject({
      method,
      url,
      payload,
      headers: { ...(token && { authorization: token }), ...headers },
    });
    const isJson = /json/.test(String(response.headers['content-type']));
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: isJson && response.body ? response.json() : undefined,
    };
  };
  return {
    send,
    admin: (method: Method, path: string, payload?: object) =>
      send(method, `/api/admin${path}`, { payload, token: ADMIN_TOKEN }),
    client: (method: Method, path: string, payload?: object) =>
      send(method, `/api/client${path}`, { payload, token: CLIENT_TOKEN }),
    /** Reads the flags as a client with this token. */
    async features(token = CLIENT_TOKEN): Promise<{ name: string }[]> {
      const { body } = await send('GET', '/api/client/features', { token });
      return body.features;
    },
    create: (name: string, more: object = {}) =>
      send('POST', '/api/admin/features', {
        token: ADMIN_TOKEN,
        payload: { name, description: '', type: 'release', ...more },
      }),
    /** Returns a report of the usage of a flag that ends now, or at a given time. */
    report: (
      flag: string,
      {
        yes,
        no,
        at = new Date(),
        appName = 'web',
      }: {
        yes: number;
        no: number;
        at?: Date;
        appName?: string;
      },
    ) =>
      send('POST', '/api/client/metrics', {
        token: CLIENT_TOKEN,
        payload: {
          appName,
          instanceId: 'one',
          bucket: {
            start: new Date(at.getTime() - 60_000).toISOString(),
            stop: at.toISOString(),
            toggles: { [flag]: { yes, no } },
          },
        },
      }),
  };
}
