import {
  instantOf,
  InvalidRequestError,
  type ServiceApp,
} from '@slipway/service-kit';
import { type FlagAccess, tokenOf } from '../tokens/access.ts';
import type { FeatureAnswers } from './FeatureAnswers.ts';
import {
  Accepted,
  ClientFeatures,
  FeatureQuery,
  NotModified,
  Registration,
  UsageBody,
} from './schemas.ts';
import type { ApplicationStore } from '../storage/ApplicationStore.ts';
import type { UsageIntake } from '../usage/UsageIntake.ts';

const GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i;

/** Adds `GET /api/client/features`, which SDKs ask again and again. */
export function featureRoutes(
  app: ServiceApp,
  { answers, access }: { answers: FeatureAnswers; access: FlagAccess },
): void {
  app.get(
    '/api/client/features',
    {
      config: { access: access.client },
      schema: {
        tags: ['client'],
        summary:
          'The flags of the token, or 304 where If-None-Match knows them',
        querystring: FeatureQuery,
        response: {
          200: ClientFeatures,
          304: NotModified,
        },
      },
    },
    async (request, reply) => {
      const { headers, caller, query } = request;
      const answer = answers.of(tokenOf(caller), query);
      reply.headers({ etag: answer.etag, vary: 'Origin, Accept-Encoding' });
      if (matchesEtag(headers['if-none-match'], answer.etag)) {
        return reply.code(304).send(undefined);
      }
      reply.type('application/json; charset=utf-8');
      const accepted = headers['accept-encoding'];
      const packed =
        typeof accepted === 'string' && GZIP.test(accepted)
          ? await answer.packed()
          : undefined;
      if (packed) {
        reply.header('content-encoding', 'gzip');
      }
      // Bytes are sent as they are; the schema above describes them.
      return reply.send((packed ?? answer.body) as never);
    },
  );
}

/**
 * Tells whether `If-None-Match` holds an entity tag (RFC 9110, 13.1.2): compared weakly, one
 * of several, or `*`.
 */
function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) {
    return false;
  }
  if (header === etag || header === '*') {
    return true;
  }
  const opaque = withoutWeakness(etag);
  return header
    .split(',')
    .some(each => withoutWeakness(each.trim()) === opaque);
}

function withoutWeakness(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}

/** Adds `POST /api/client/register`, by which an instance of an application says that it runs. */
export function registerRoutes(
  app: ServiceApp,
  options: {
    applications: ApplicationStore;
    access: FlagAccess;
    now: () => number;
  },
): void {
  const { applications, access, now } = options;
  app.post(
    '/api/client/register',
    {
      config: { access: access.client },
      schema: {
        tags: ['client'],
        summary: 'Register an instance of an application',
        body: Registration,
        response: { 202: Accepted },
      },
    },
    async ({ body, caller }, reply) => {
      await applications.register({
        appName: body.appName,
        instanceId: body.instanceId ?? 'default',
        environment: tokenOf(caller).environment,
        sdkVersion: body.sdkVersion ?? null,
        strategies: body.strategies,
        startedAt: instantOf(body.started),
        intervalMs: body.interval,
        seenAt: now(),
      });
      return reply.code(202).send(undefined);
    },
  );
}

/** Adds `POST /api/client/metrics`, which takes reports of usage. */
export function usageRoutes(
  app: ServiceApp,
  options: {
    usage: UsageIntake;
    /** Tells whether a flag is of none of these projects. */
    isOthers: (flag: string, projects: readonly string[]) => boolean;
    access: FlagAccess;
  },
): void {
  const { usage, isOthers, access } = options;
  app.post(
    '/api/client/metrics',
    {
      config: { access: access.client },
      schema: {
        tags: ['client'],
        summary:
          'Report usage; flags that are unknown, or of other projects than the token, are not counted',
        body: UsageBody,
        response: { 202: Accepted },
      },
    },
    async ({ body, caller }, reply) => {
      const { appName, bucket, impactMetrics } = body;
      if (!bucket && impactMetrics === undefined) {
        throw new InvalidRequestError('bucket is required', {
          field: 'bucket',
          constraint: 'required',
        });
      }
      if (bucket) {
        const start = instantOf(bucket.start);
        const stop = instantOf(bucket.stop);
        if (start > stop) {
          throw new InvalidRequestError(
            'bucket.start must not be after bucket.stop',
            { field: 'bucket.start', constraint: 'maximum' },
          );
        }
        const { environment, projects } = tokenOf(caller);
        await usage.add({
          appName,
          environment,
          at: stop,
          counts: Object.entries(bucket.toggles)
            .filter(([flag]) => !isOthers(flag, projects))
            .map(([flag, { yes, no }]) => ({ flag, yes, no })),
        });
      }
      return reply.code(202).send(undefined);
    },
  );
}
