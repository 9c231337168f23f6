import type { Service } from '@slipway/service-kit';
import { FakePortal, startTestService } from '@slipway/service-kit/testing';
import { feedbackService } from '../service.ts';

export const KEY = 'test-automation-key';

type StartOptions = NonNullable<Parameters<typeof startTestService>[1]>;

/** Starts a portal with an admin, ada, and a user, grace. */
export function startPortal(): Promise<FakePortal> {
  return FakePortal.start({
    groups: {
      'user:default/ada': ['group:default/platform-admins'],
      'user:default/grace': ['group:default/payments'],
    },
  });
}

/** Starts the service with a key and a portal, without rate limits unless the options set them. */
export function startFeedback(
  portal: { baseUrl: string },
  options: StartOptions = {},
): Promise<Service> {
  const { config = {}, ...rest } = options;
  return startTestService(feedbackService, {
    ...rest,
    config: {
      portal: { baseUrl: portal.baseUrl, appUrl: 'http://localhost:3000' },
      rateLimit: { enabled: false },
      // The tests must not depend on the load of the machine.
      limits: { eventLoopDelay: 600_000 },
      ...config,
      auth: {
        apiKeys: [{ name: 'test', key: KEY }],
        ...(config.auth as object | undefined),
      },
    },
  });
}

/** The response to a request. */
export interface Answer {
  status: number;
  // Each test declares what it expects in a body.
  body: any;
  headers: Record<string, unknown>;
}

/** A valid submission. */
export const submission = {
  rating: 4,
  category: 'UI/UX',
  message: 'The new navigation is great',
};

/** Creates a client that sends requests as one caller. */
function clientOf({ app }: Service, headers: Record<string, string> = {}) {
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: object,
  ): Promise<Answer> => {
    const response = await app.inject({ method, url, headers, payload });
    const isJson = String(response.headers['content-type']).includes('json');
    return {
      status: response.statusCode,
      body: isJson ? response.json() : response.body,
      headers: response.headers,
    };
  };
  return {
    call,
    get: (url: string) => call('GET', url),
    post: (url: string, payload?: object) => call('POST', url, payload ?? {}),
    put: (url: string, payload: object) => call('PUT', url, payload),
    /** Submits feedback that is valid apart from the given fields. */
    submit: (more: object = {}) =>
      call('POST', '/api/v1/feedback', { ...submission, ...more }),
    move: (id: string, status: string, notes = '') =>
      call('PUT', `/api/v1/feedback/${id}/status`, { status, notes }),
  };
}

export type Client = ReturnType<typeof clientOf>;

/** Creates clients for ada, grace, an anonymous caller and the automation. */
export async function clientsOf(service: Service, portal: FakePortal) {
  return {
    ada: clientOf(service, { cookie: await portal.cookie('user:default/ada') }),
    grace: clientOf(service, {
      cookie: await portal.cookie('user:default/grace'),
    }),
    nobody: clientOf(service),
    automation: clientOf(service, { 'x-api-key': KEY }),
  };
}

/** A PNG with a single pixel. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
