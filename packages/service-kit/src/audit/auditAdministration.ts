import {
  AUDIT_LIMITS,
  auditAnswerSchema,
  DatabaseAuditLog,
} from '@slipway/entity-contract';
import type { FastifyRequest, onSendHookHandler } from 'fastify';
import { Type } from 'typebox';
import { type Access, actorOf } from '../auth/Access.ts';
import { isJsonObject } from '../http/isJsonObject.ts';
import type { ServiceKit } from '../service/ServiceKit.ts';
import { instantOf, Timestamp } from '../time/Timestamp.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
const DAY_MS = 86_400_000;
const KEPT_DAYS = 400;
const USUAL_DAYS = 30;
/** Path segments that are credentials, or identify people whose data is deleted. */
const REDACTED_PARAMETERS = /token|secret|key|distinctId/i;
/** Members of a body that name the created object; the first present one is used. */
const NAMES = ['name', 'title', 'tokenName', 'username', 'id'] as const;

const Query = Type.Object({
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Text to find in actor, action or target, ignoring case.',
    }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: AUDIT_LIMITS.most,
    default: AUDIT_LIMITS.usual,
  }),
});

/**
 * Records in an audit log what admins did, and adds `GET /api/v1/audit`, where the portal reads it.
 * Adds an entry for each successful request that changes something, on a route with this access
 * rule or with `config: { audited: true }`. The action is the summary of the route. The entry is
 * stored before the response is sent.
 *
 * Call it before adding routes.
 *
 * @param options.access - the access rule for admins, who may also read the log.
 */
export function auditAdministration(
  kit: Pick<ServiceKit, 'app' | 'database' | 'every' | 'logger' | 'now'>,
  { access }: { access: Access },
): void {
  const { app, database, logger, now } = kit;
  const log = new DatabaseAuditLog(database.knex, 'kit_audit');

  const record = async (request: FastifyRequest) => {
    const { config, schema } = request.routeOptions;
    try {
      await log.add({
        at: now(),
        actor: actorOf(request.caller),
        action: schema?.summary ?? `${request.method} ${config.url}`,
        target: targetOf(request),
      });
    } catch (error) {
      // The action has already been carried out, so its caller must not see an error.
      logger.error({ err: error }, 'An audit log entry was not stored');
    }
  };
  const recordSuccess: onSendHookHandler = (request, reply, _payload, done) => {
    if (!READS.has(request.method) && reply.statusCode < 400) {
      record(request).then(() => done(), done);
    } else {
      done();
    }
  };
  // Only routes that change something get the hook, so that other requests are not delayed.
  app.addHook('onRoute', route => {
    const { config, method, onSend = [] } = route;
    const isAct = [method].flat().some(each => !READS.has(each));
    if (isAct && (config?.access === access || config?.audited === true)) {
      route.onSend = [recordSuccess, onSend].flat();
    }
  });

  app.get(
    '/api/v1/audit',
    {
      config: { access },
      schema: {
        tags: ['audit'],
        summary: 'List entries of the audit log, newest first',
        querystring: Query,
        response: { 200: auditAnswerSchema },
      },
    },
    async ({ query }) => {
      // Entries of the current millisecond must be included.
      const to = query.to === undefined ? now() + 1 : instantOf(query.to);
      const from =
        query.from === undefined
          ? to - USUAL_DAYS * DAY_MS
          : instantOf(query.from);
      return log.list({
        from,
        to,
        text: query.q?.trim() || undefined,
        limit: query.limit,
      });
    },
  );

  kit.every({
    name: 'Deleting old entries of the audit log',
    everyMs: DAY_MS,
    work: () => log.purge(now() - KEPT_DAYS * DAY_MS),
  });
}

/**
 * Identifies the target of a request by its path, or by its body if the request creates something.
 */
function targetOf({ params, body }: FastifyRequest): string | null {
  const named = Object.entries(params ?? {})
    .filter(([name]) => !REDACTED_PARAMETERS.test(name))
    .map(([, value]) => String(value));
  const made = nameIn(body);
  return [...named, ...(made === undefined ? [] : [made])].join(' / ') || null;
}

function nameIn(body: unknown): string | undefined {
  if (!isJsonObject(body)) {
    return undefined;
  }
  const name = NAMES.find(key => typeof body[key] === 'string');
  return name && String(body[name]);
}
