import { createHmac } from 'node:crypto';
import type { Service } from '@slipway/service-kit';
import { startTestService } from '@slipway/service-kit/testing';
import { spaceMetrics } from '../service.ts';

export const KEY = 'test-space-key';
export const FORGE_SECRET = 'test-forge-secret';

type StartOptions = NonNullable<Parameters<typeof startTestService>[1]>;

/** Starts the service with a key, forge secrets and no portal, unless the options differ. */
export function startSpaceMetrics(
  options: StartOptions = {},
): Promise<Service> {
  const { config = {}, ...rest } = options;
  const secret = FORGE_SECRET;
  return startTestService(spaceMetrics, {
    ...rest,
    config: {
      // Never reports overload: the load of the machine is not under test.
      limits: { eventLoopDelay: 600_000 },
      // A port that no server uses.
      portal: { baseUrl: 'http://127.0.0.1:1' },
      auth: { apiKeys: [{ name: 'test', key: KEY }] },
      rateLimit: { enabled: false },
      forges: {
        github: secret,
        gitlab: secret,
        gitea: secret,
        forgejo: secret,
      },
      ...config,
      privacy: {
        hashKey: 'test-hash-key',
        ...(config.privacy as object | undefined),
      },
    },
  });
}

/** Creates a client that sends requests with the key. */
export function clientOf({ app }: Service) {
  const headers = { 'x-api-key': KEY };
  return {
    async get(url: string) {
      const response = await app.inject({ url, headers });
      return { status: response.statusCode, body: response.json() };
    },
    async send(
      method: 'POST' | 'PUT' | 'DELETE',
      url: string,
      payload?: object,
    ) {
      const response = await app.inject({ method, url, headers, payload });
      return { status: response.statusCode, body: response.json() };
    },
    /** Submits a pulse survey of a user. */
    async survey(
      userId: string,
      overallSatisfaction: number,
      more: { team?: string; timestamp?: string; recommend?: number } = {},
    ) {
      const { recommend, ...rest } = more;
      return this.send('POST', '/api/v1/surveys/pulse/submit', {
        user_id: userId,
        ...rest,
        responses: {
          overall_satisfaction: overallSatisfaction,
          productivity_this_week: 3,
          blockers: '',
          wins: '',
          ...(recommend !== undefined && { recommend }),
        },
      });
    },
    async events(events: object[], source = 'test') {
      return this.send('POST', '/api/v1/activity/events', { source, events });
    },
    /** Sends a delivery of a forge with a signature like GitHub's. */
    async github(event: string, body: object, secret = FORGE_SECRET) {
      const payload = JSON.stringify(body);
      const digest = createHmac('sha256', secret).update(payload).digest('hex');
      const response = await app.inject({
        method: 'POST',
        url: '/api/v1/webhooks/github',
        headers: {
          'content-type': 'application/json',
          'x-github-event': event,
          'x-hub-signature-256': `sha256=${digest}`,
        },
        payload,
      });
      return { status: response.statusCode, body: response.json() };
    },
  };
}
