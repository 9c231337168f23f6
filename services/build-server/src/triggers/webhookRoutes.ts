import { anyDeliveryIdOf, anyEventOf } from '@slipway/platform-guards';
import {
  type Access,
  InvalidRequestError,
  type ServiceApp,
} from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';
import { baseUrlOf, type Addresses, queueUrl } from '../jenkins/urls.ts';
import { TriggerAnswer, TriggerPayload, WebhookQuery } from './schemas.ts';
import type { Triggered, WebhookIntake } from './WebhookIntake.ts';

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
      { parseAs: 'buffer' },
      (_request, body, done) => done(null, body),
    );
    routes.post(
      '/generic-webhook-trigger/invoke',
      {
        config: { access, faults: ['unauthenticated'] },
        // The token is the credential: nobody without one is listened to any further.
        onRequest: async request => intake.assertKnown(tokenOf(request)),
        schema: {
          tags: ['triggers'],
          summary: 'Trigger the jobs with this token',
          querystring: WebhookQuery,
          body: TriggerPayload,
          response: { 200: TriggerAnswer },
        },
      },
      async request => {
        const { headers, body } = request;
        const header = (name: string) => headerOf(headers, name);
        const outcomes = await intake.take({
          token: tokenOf(request),
          signature: headers['x-hub-signature-256'],
          body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
          isJson: isJson(headers['content-type']),
          event: header('x-forge-event') || anyEventOf(header),
          id: anyDeliveryIdOf(header),
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

/** @throws InvalidRequestError when there is none, or not one alone. */
function tokenOf(request: FastifyRequest): string {
  const { token } = request.query as { token?: unknown };
  if (typeof token !== 'string' || token === '') {
    throw new InvalidRequestError('token is required', {
      field: 'token',
      constraint: 'required',
    });
  }
  return token;
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
  headers: FastifyRequest['headers'],
  name: string,
): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value.slice(0, 200) : undefined;
}
