import { anyDeliveryIdOf, anyEventOf } from '@slipway/platform-guards';
import {
  type Access,
  InvalidRequestError,
  type ServiceApp,
} from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { baseUrlOf, type Addresses, queueUrl } from '../jenkins/urls.ts';
import type { Delivery, Triggered, WebhookIntake } from './WebhookIntake.ts';

const PATH = '/generic-webhook-trigger/invoke';

/** Query of the webhook. */
const WebhookQuery = Type.Object({
  token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description:
        'Required unless it is sent as `X-Gitlab-Token`, `token` or bearer token.',
    }),
  ),
});

/** The payload of a forge. Any object is accepted, and each of these fields is used if it is valid. */
const TriggerPayload = {
  content: {
    'application/json': {
      schema: Type.Object(
        {
          repository: Type.Optional(
            Type.Unknown({ description: '`{name, url, clone_url}`' }),
          ),
          ref: Type.Optional(
            Type.Unknown({ description: 'e.g. `refs/heads/main`' }),
          ),
          before: Type.Optional(Type.Unknown({ description: 'A commit.' })),
          after: Type.Optional(
            Type.Unknown({ description: 'The commit to build.' }),
          ),
          commits: Type.Optional(
            Type.Unknown({
              description: '`[{id, message, author: {name, email}}]`',
            }),
          ),
        },
        { additionalProperties: true },
      ),
    },
  },
};

const Outcome = {
  triggered: Type.Boolean(),
  url: Type.String({ description: 'Address of the queue item.' }),
  buildNumber: Type.Integer({ description: 'Number that the build will get.' }),
  reason: Type.Optional(
    Type.String({ description: 'Why it was not triggered.' }),
  ),
};

/** The result of a webhook, by job. */
const TriggerAnswer = Type.Object({
  jobs: Type.Record(
    Type.String(),
    Type.Object({
      ...Outcome,
      further: Type.Optional(
        Type.Array(Type.Object(Outcome), {
          description: 'Of the other refs in the delivery.',
        }),
      ),
    }),
  ),
});

/** Registers the routes for webhooks of forges, which are authenticated by their token. */
export function webhookRoutes(
  app: ServiceApp,
  options: { access: Access; intake: WebhookIntake; addresses: Addresses },
): void {
  const { access, intake, addresses } = options;
  app.register(async (routes: ServiceApp) => {
    // Signatures cover the raw bytes, not the parsed body.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser<Buffer>(
      '*',
      { parseAs: 'buffer' },
      (_request, body, done) => done(null, body),
    );
    const shared = {
      config: { access, faults: ['unauthenticated' as const] },
      // The token is the credential: requests without a valid one are rejected first.
      onRequest: async (request: FastifyRequest) =>
        intake.assertKnown(tokenOf(request, intake)),
    };
    const schema = {
      tags: ['triggers'],
      querystring: WebhookQuery,
      response: { 200: TriggerAnswer },
    };
    const take = async (
      request: FastifyRequest,
      sent: Pick<Delivery, 'body' | 'text' | 'isJson'>,
    ) => {
      const header = (name: string) => headerOf(request.headers, name);
      const outcomes = await intake.take({
        token: tokenOf(request, intake),
        header,
        ...sent,
        ...eventOf(header),
        id: anyDeliveryIdOf(header) ?? bitbucketIdOf(header),
      });
      return { jobs: presentAll(outcomes, baseUrlOf(request, addresses)) };
    };
    routes.post(
      PATH,
      {
        ...shared,
        schema: {
          ...schema,
          summary: 'Trigger the jobs with this token',
          body: TriggerPayload,
        },
      },
      async request => {
        const { headers, body } = request;
        return take(
          request,
          readBody(
            Buffer.isBuffer(body) ? body : Buffer.alloc(0),
            headers['content-type'],
          ),
        );
      },
    );
    routes.get(
      PATH,
      {
        ...shared,
        // A request that only checks whether the route exists must not trigger anything.
        exposeHeadRoute: false,
        schema: {
          ...schema,
          summary: 'Trigger the jobs with this token, without a payload',
        },
      },
      async request =>
        take(request, { body: Buffer.from('{}'), text: '{}', isJson: true }),
    );
  });
}

/**
 * Returns the token of a webhook: from the query, else from one of the headers used by
 * forges. A bearer token may be a different credential, so it counts only if a job has
 * it.
 *
 * @throws InvalidRequestError if there is not exactly one token.
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

/** Returns the event name given by a proxy or the forge; Bitbucket uses a different header. */
function eventOf(header: (name: string) => string | undefined): {
  event?: string;
  isForge: boolean;
} {
  const named = header('x-forge-event') || undefined;
  const own = anyEventOf(header) ?? (header('x-event-key') || undefined);
  return { event: named ?? own, isForge: own !== undefined };
}

/** Returns the id of a Bitbucket delivery. Other senders use a different id for every attempt. */
function bitbucketIdOf(
  header: (name: string) => string | undefined,
): string | undefined {
  return header('x-event-key') === undefined
    ? undefined
    : (header('x-request-uuid') ?? header('x-request-id'));
}

/** Presents the outcome of each job: its first build, or why there is none, with any further ones. */
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

/** Reads the text of a body by its media type. */
function readBody(
  body: Buffer,
  contentType = '',
): Pick<Delivery, 'body' | 'text' | 'isJson'> {
  const text = body.toString('utf8');
  if (/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType)) {
    const payload = new URLSearchParams(text).get('payload') ?? '';
    return { body, text: payload, isJson: true };
  }
  const isJson = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(
    contentType,
  );
  return { body, text, isJson };
}

function headerOf(
  headers: FastifyRequest['headers'],
  name: string,
): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value.slice(0, 200) : undefined;
}
