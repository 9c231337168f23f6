import {
  type Administration,
  administrationSchema,
  configuredToken,
  isoOf,
  type Token,
  type TokenKind,
  type Webhook,
} from '@slipway/entity-contract';
import { Type } from 'typebox';
import type { Access, CredentialCaller } from '../auth/Access.ts';
import { credentialBudget } from '../auth/credentials.ts';
import { NotFoundError } from '../errors/ServiceError.ts';
import type { CredentialConfig } from '../config/CommonConfig.ts';
import type { Outbox } from '../outbox/Outbox.ts';
import type { WebhookEndpoint } from '../outbox/WebhookEndpoints.ts';
import type { ServiceKit } from '../service/ServiceKit.ts';

const PATH = '/api/v1/administration';
const RedeliveryParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 100 }),
});
const RedeliveryAnswer = Type.Object({ deliveries: Type.Integer() });

/**
 * Adds `GET /api/v1/administration`, where the portal reads a service's roles, tokens and webhooks,
 * without any secrets. The kit itself reports the keys in `auth.apiKeys` and the endpoints of the
 * outbox, except those of other sources. Also adds a route that resends the deliveries that an
 * endpoint has not accepted.
 *
 * @param options.access - the access rule for admins.
 * @param options.webhooks - the path of `webhookAdminRoutes`, if the service has them.
 * @param options.report - returns the roles, and the tokens and webhooks that the kit does not
 *   know.
 */
export function administrationRoute(
  kit: Pick<ServiceKit, 'app' | 'config' | 'outbox' | 'uses'>,
  options: {
    access: Access;
    webhooks?: string;
    report(): Promise<Partial<Administration>>;
  },
): void {
  const { app, config, outbox } = kit;
  const { access, webhooks: path, report } = options;
  app.get(
    PATH,
    {
      config: { access },
      schema: {
        tags: ['administration'],
        summary: 'List roles, tokens and webhooks, without secrets',
        response: { 200: administrationSchema },
      },
    },
    async () => {
      const { roles = [], tokens = [], webhooks = [] } = await report();
      return {
        roles,
        tokens: [
          ...tokens,
          ...(await configuredTokens(kit, {
            credentials: config.auth.apiKeys,
            as: ['apiKey'],
            kind: 'api-key',
          })),
        ],
        webhooks: [...webhooks, ...(await webhooksOf(outbox, path))],
      };
    },
  );
  app.post(
    `${PATH}/webhooks/:id/redeliveries`,
    {
      config: { access },
      schema: {
        tags: ['administration'],
        summary: 'Resend everything that a webhook has not accepted',
        params: RedeliveryParams,
        response: { 202: RedeliveryAnswer },
      },
    },
    async ({ params }, reply) => {
      const deliveries = await outbox.redeliver(params.id);
      if (deliveries === undefined) {
        throw new NotFoundError('Webhook not found');
      }
      reply.code(202);
      return { deliveries };
    },
  );
}

/**
 * Reports credentials from the configuration.
 *
 * @param options.as - the kinds of callers under which uses of the credentials are recorded.
 */
export async function configuredTokens(
  kit: Pick<ServiceKit, 'uses'>,
  options: {
    credentials: readonly CredentialConfig[];
    as: readonly CredentialCaller['kind'][];
    kind: TokenKind;
  },
): Promise<Token[]> {
  const { credentials, as, kind } = options;
  const uses = await kit.uses.all();
  return credentials.map((credential, index) => {
    const { name, scopes = [] } = credential;
    const used = as.flatMap(
      way => uses.get(credentialBudget(way, credential)) ?? [],
    );
    return {
      ...configuredToken({ id: `${kind}-${index}`, name, kind, scopes }),
      lastUsedAt: used.length > 0 ? isoOf(Math.max(...used)) : null,
    };
  });
}

/**
 * Describes an endpoint of the outbox as an outgoing webhook, with the result of its last
 * deliveries.
 *
 * @param own - members that cannot be derived from the endpoint.
 */
export async function outgoingWebhook(
  outbox: Pick<Outbox, 'progressOf'>,
  endpoint: WebhookEndpoint,
  own: Pick<Webhook, 'name' | 'configured'> & Partial<Webhook>,
): Promise<Webhook> {
  const { lastAt, ...progress } = await outbox.progressOf(endpoint.id);
  return {
    id: endpoint.id,
    direction: 'outgoing',
    kind: endpoint.kind ?? 'Webhook',
    host: new URL(endpoint.url).host,
    events: [...endpoint.events],
    signed: endpoint.secret !== undefined,
    paused: false,
    lastAt: isoOf(lastAt),
    ...progress,
    ...(progress.failures > 0 && {
      redeliver: `${PATH}/webhooks/${encodeURIComponent(endpoint.id)}/redeliveries`,
    }),
    ...own,
  };
}

async function webhooksOf(
  outbox: Outbox,
  path: string | undefined,
): Promise<Webhook[]> {
  const { configured, added } = outbox.endpoints;
  const registered = await outbox.endpoints.registered();
  return Promise.all([
    ...[...configured, ...added].map(endpoint =>
      outgoingWebhook(outbox, endpoint, {
        name: endpoint.id,
        configured: true,
      }),
    ),
    ...registered.map(endpoint =>
      outgoingWebhook(outbox, endpoint, {
        name: new URL(endpoint.url).host,
        configured: false,
        ...(path && { remove: `${path}/${endpoint.id}` }),
      }),
    ),
  ]);
}
