import { NotFoundError, type ServiceApp } from '@slipway/service-kit';
import { FlagPath } from '../flags/schemas.ts';
import { type FlagAccess, tokenOf } from '../tokens/access.ts';
import type { FeatureResponses } from './FeatureResponses.ts';
import type { FlagSnapshot } from './FlagSnapshot.ts';
import { presentToClient, readsSegments } from './presentFlag.ts';
import {
  ClientFeature,
  ClientFeatures,
  FeatureQuery,
  NotModified,
} from './schemas.ts';
import { scopeQuery } from './scopeQuery.ts';

const GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i;

/** Adds `GET /api/client/features`, which SDKs poll. */
export function clientRoutes(
  app: ServiceApp,
  options: {
    responses: FeatureResponses;
    snapshot: FlagSnapshot;
    access: FlagAccess;
  },
): void {
  const { responses, snapshot, access } = options;
  app.get(
    '/api/client/features',
    {
      config: { access: access.client },
      schema: {
        tags: ['client'],
        summary: 'Get the flags of the token, or 304 if If-None-Match matches',
        querystring: FeatureQuery,
        response: {
          200: ClientFeatures,
          304: NotModified,
        },
      },
    },
    async (request, reply) => {
      const { headers, caller, query } = request;
      const wanted = {
        filter: query,
        readsSegments: readsSegments(headers['unleash-client-spec']),
      };
      let response = responses.of(tokenOf(caller), wanted);
      if (isOlder(response.revision, headers['if-none-match'])) {
        // The SDK has seen a newer state at another replica, and must not be sent an
        // older one: without the database it gets 503, and keeps what it has.
        await snapshot.refresh();
        response = responses.of(tokenOf(caller), wanted);
      }
      reply.headers({ etag: response.etag, vary: 'Origin, Accept-Encoding' });
      if (matchesEtag(headers['if-none-match'], response.etag)) {
        return reply.code(304).send(undefined);
      }
      reply.type('application/json; charset=utf-8');
      const accepted = headers['accept-encoding'];
      const packed =
        typeof accepted === 'string' && GZIP.test(accepted)
          ? await response.packed()
          : undefined;
      if (packed) {
        reply.header('content-encoding', 'gzip');
      }
      // Bytes are sent as they are; the schema above describes them.
      return reply.send((packed ?? response.body) as never);
    },
  );

  app.get(
    '/api/client/features/:featureName',
    {
      config: { access: access.client },
      schema: {
        tags: ['client'],
        summary: 'Get one flag of the token',
        params: FlagPath,
        response: { 200: ClientFeature },
      },
    },
    async ({ params, caller, headers }) => {
      const token = tokenOf(caller);
      const flag = snapshot.find(params.featureName);
      if (!flag || !scopeQuery(token).includes(flag)) {
        throw new NotFoundError(`Flag ${params.featureName} not found`);
      }
      const inline = readsSegments(headers['unleash-client-spec'])
        ? undefined
        : snapshot.segments;
      const { environment } = token;
      return presentToClient(flag, { environment, inline });
    },
  );
}

/** Checks whether the response named in `If-None-Match` has a later revision than this one. */
function isOlder(revision: number, header: string | undefined): boolean {
  const [, known] = /^W\/"[0-9a-f]{12}:(\d{1,15})"$/.exec(header ?? '') ?? [];
  return known !== undefined && Number(known) > revision;
}

/**
 * Returns whether `If-None-Match` holds an entity tag (RFC 9110, 13.1.2): compared weakly, one
 * of several, or `*`.
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
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
