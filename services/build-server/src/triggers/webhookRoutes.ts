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
        onRequest: async request =>
          intake.assertKnown(tokenOf(request, intake)),
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
          token: tokenOf(request, intake),
          header,
          body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
          isJson: isJson(headers['content-type']),
          ...eventOf(header),
          id: anyDeliveryIdOf(header) ?? bitbucketIdOf(header),
        });
        return { jobs: presentAll(outcomes, baseUrlOf(request, addresses)) };
      },
    );
  });
}

/**
 * The token of a webhook: in the query, else in one of the headers in which forges send it. A bearer
 * token may be another credential, so it is one of a webhook where a job has it.
 *
 * @throws InvalidRequestError when there is none, or not one alone.
 */
function tokenOf(request: FastifyRequest, intake: WebhookIntake): string {
  const { token } = request.query as { token?: unknown };
  if (typeof token === 'string' && token !== '') {
    return token;
  }
  const { headers } = request;
  const [, bearer] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const sent =
    token === undefined
      ? [
          headers.token,
          headers['x-gitlab-token'],
          bearer !== undefined && intake.isKnown(bearer) ? bearer : undefined,
        ]
      : [];
  const found = sent.find(one => typeof one === 'string' && one !== '');
  if (typeof found !== 'string') {
    throw new InvalidRequestError('token is required', {
      field: 'token',
      constraint: 'required',
    });
  }
  return found;
}

/** The event, as a proxy or the forge itself names it; Bitbucket does so in a header that others do not know. */
function eventOf(header: (name: string) => string | undefined): {
  event?: string;
  isForge: boolean;
} {
  const named = header('x-forge-event') || undefined;
  const own = anyEventOf(header) ?? (header('x-event-key') || undefined);
  return { event: named ?? own, isForge: own !== undefined };
}

/** Other senders give every attempt an id of its own. */
function bitbucketIdOf(
  header: (name: string) => string | undefined,
): string | undefined {
  return header('x-event-key') === undefined
    ? undefined
    : (header('x-request-uuid') ?? header('x-request-id'));
}

/** The outcomes of each job: its first build, or why there is none, and the further ones with it. */
function presentAll(outcomes: readonly Triggered[], base: string) {
  const names = [...new Set(outcomes.map(({ job }) => job))];
  return Object.fromEntries(
    names.map(job => {
      const ofJob = outcomes.filter(outcome => outcome.job === job);
      const first = ofJob.find(outcome => 'build' in outcome) ?? ofJob[0];
      const further = ofJob
        .filter(outcome => outcome !== first)
        .map(outcome => present(outcome, base));
      return [
        job,
        { ...present(first, base), ...(further.length > 0 && { further }) },
      ];
    }),
  );
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
