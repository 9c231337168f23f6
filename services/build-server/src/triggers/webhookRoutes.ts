import {
  type Access,
  InvalidRequestError,
  type ServiceApp,
} from '@slipway/service-kit';
import { baseUrlOf, type Addresses, queueUrl } from '../jenkins/urls.ts';
import { TriggerAnswer, WebhookQuery } from './schemas.ts';
import type { Triggered, WebhookIntake } from './WebhookIntake.ts';

/** A push of many commits is large. */
const BODY_LIMIT = 10 * 1024 * 1024;

/** What forges call a delivery; sent again it keeps the id. */
const DELIVERY_HEADERS = [
  'x-github-delivery',
  'x-gitea-delivery',
  'x-forgejo-delivery',
  'x-gogs-delivery',
  'webhook-id',
  'idempotency-key',
];
const EVENT_HEADERS = [
  'x-forge-event',
  'x-github-event',
  'x-gitea-event',
  'x-forgejo-event',
  'x-gitlab-event',
];

/** Takes webhooks of forges, known by their token. */
export function webhookRoutes(
  app: ServiceApp,
  options: { access: Access; intake: WebhookIntake; addresses: Addresses },
): void {
  const { access, intake, addresses } = options;
  app.register(async (routes: ServiceApp) => {
    // Signatures are of the bytes that came, not of what they mean.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser<Buffer>(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
      (_request, body, done) => done(null, body),
    );
    routes.post(
      '/generic-webhook-trigger/invoke',
      {
        config: { access },
        schema: {
          tags: ['triggers'],
          summary: 'Trigger the jobs that have a token',
          querystring: WebhookQuery,
          response: { 200: TriggerAnswer },
        },
      },
      async request => {
        const { headers, query, body } = request;
        if (!query.token) {
          throw new InvalidRequestError('token is required', {
            field: 'token',
            constraint: 'required',
          });
        }
        const outcomes = await intake.take({
          token: query.token,
          signature: headers['x-hub-signature-256'],
          // Another media type is no JSON, whatever its bytes.
          body:
            Buffer.isBuffer(body) && isJson(headers['content-type'])
              ? body
              : Buffer.alloc(0),
          event: headerOf(headers, EVENT_HEADERS),
          id: headerOf(headers, DELIVERY_HEADERS),
        });
        const base = baseUrlOf(request, addresses);
        return {
          jobs: Object.fromEntries(
            outcomes.map(outcome => [outcome.job, present(outcome, base)]),
          ),
        };
      },
    );
  });
}

function present(outcome: Triggered, base: string) {
  return 'build' in outcome
    ? {
        triggered: true,
        url: queueUrl(base, outcome.build.id),
        buildNumber: outcome.build.number,
      }
    : { triggered: false, url: '', buildNumber: 0, reason: outcome.reason };
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '');
}

function headerOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  names: readonly string[],
): string | undefined {
  const value = names.map(name => headers[name]).find(Boolean);
  return typeof value === 'string' ? value.slice(0, 200) : undefined;
}
