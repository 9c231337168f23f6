import { NotFoundError, type ServiceApp } from '@slipway/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FlagPath } from '../flags/schemas.ts';
import { type FlagAccess, tokenOf } from '../tokens/access.ts';
import {
  type FeatureResponse,
  type FeatureResponses,
  revisionIn,
} from './FeatureResponses.ts';
import type { FlagSnapshot } from './FlagSnapshot.ts';
import type { ReportDesk } from './reportRoutes.ts';
import { presentToClient, readsSegments } from './presentFlag.ts';
import {
  ClientFeature,
  ClientFeatures,
  FeatureQuery,
  NotModified,
} from './schemas.ts';
import { type FeatureFilter, scopeQuery } from './scopeQuery.ts';

const GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i;

/** Adds the routes with which SDKs read flags. */
export function clientRoutes(
  app: ServiceApp,
  options: {
    responses: FeatureResponses;
    snapshot: FlagSnapshot;
    desk: Pick<ReportDesk, 'noteReader'>;
    access: FlagAccess;
  },
): void {
  const { responses, snapshot, desk, access } = options;
  const find = ({ headers, caller, query }: FeatureRequest): FeatureResponse =>
    responses.of(tokenOf(caller), {
      filter: query,
      readsSegments: readsSegments(headers['unleash-client-spec']),
    });
  app.get(
    '/api/client/features',
    {
      config: { access: access.client, forMachines: true },
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
    // Not async, because most responses can be sent immediately.
    (request, reply) => {
      desk.noteReader(request.headers, tokenOf(request.caller));
      const response = find(request);
      const known = request.headers['if-none-match'];
      if (isOlder(response, known)) {
        // The SDK has a newer state from another replica and must not be sent an older
        // one. If the database is down, it gets 503 and keeps that state.
        snapshot
          .refresh()
          .then(() => sendFeatures(request, reply, find(request)))
          .catch(error => reply.send(error));
      } else {
        sendFeatures(request, reply, response);
      }
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

type FeatureRequest = Pick<FastifyRequest, 'headers' | 'caller'> & {
  query: FeatureFilter;
};

/** Sends a response, compressed if the client accepts that, or 304 if the client already has it. */
function sendFeatures(
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  response: FeatureResponse,
): void {
  reply.header('etag', response.etag).header('vary', 'Origin, Accept-Encoding');
  if (matchesEtag(headers['if-none-match'], response.etag)) {
    reply.code(304).send(undefined);
    return;
  }
  reply.type('application/json; charset=utf-8');
  const accepted = headers['accept-encoding'];
  const packed =
    typeof accepted === 'string' && GZIP.test(accepted)
      ? response.packed()
      : undefined;
  if (packed) {
    packed.then(
      body => reply.header('content-encoding', 'gzip').send(body),
      error => reply.send(error),
    );
  } else {
    // Text and bytes are sent as they are; the schema of the route describes them.
    reply.send(response.body);
  }
}

/** Checks whether the response named in `If-None-Match` has a later revision than this one. */
function isOlder(
  { etag, revision }: FeatureResponse,
  header: string | undefined,
): boolean {
  if (header === undefined || header === etag) {
    return false;
  }
  return (revisionIn(header) ?? 0) > revision;
}

/**
 * Checks whether `If-None-Match` matches an entity tag (RFC 9110, 13.1.2): by weak comparison with
 * any of the listed tags, or as `*`.
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
