import type { ServerResponse } from 'node:http';
import type { ServiceApp } from '@slipway/service-kit';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { type FlagAccess, tokenOf } from '../tokens/access.ts';
import {
  deltaSince,
  isAhead,
  readPosition,
  writePosition,
} from './deltaEvents.ts';
import type { FlagSnapshot } from './FlagSnapshot.ts';
import type { FlagStreams } from './FlagStreams.ts';
import type { ReportDesk } from './reportRoutes.ts';
import { ClientFeature, FeatureQuery, NotModified } from './schemas.ts';
import { scopeQuery } from './scopeQuery.ts';

/** The filters of a stream; there is none by tag, because edits would move flags in and out of it. */
const DeltaQuery = Type.Object({
  project: FeatureQuery.properties.project,
  namePrefix: FeatureQuery.properties.namePrefix,
});

const Segment = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  constraints: Type.Array(Type.Unknown()),
});

const DeltaResponse = Type.Object({
  events: Type.Array(
    Type.Object({
      eventId: Type.Integer(),
      type: Type.String({
        description:
          'hydration, feature-updated, feature-removed, segment-updated or segment-removed',
      }),
      features: Type.Optional(Type.Array(ClientFeature)),
      segments: Type.Optional(Type.Array(Segment)),
      feature: Type.Optional(ClientFeature),
      featureName: Type.Optional(Type.String()),
      project: Type.Optional(Type.String()),
      segment: Type.Optional(Segment),
      segmentId: Type.Optional(Type.Integer()),
    }),
  ),
});

const tags = ['client'];

/**
 * Adds `GET /api/client/delta` and `GET /api/client/streaming`: the changes since an
 * SDK's last request, and every change as it happens.
 */
export function streamRoutes(
  app: ServiceApp,
  options: {
    snapshot: FlagSnapshot;
    streams: FlagStreams;
    desk: Pick<ReportDesk, 'noteReader'>;
    access: FlagAccess;
  },
): void {
  const { snapshot, streams, desk, access } = options;

  /** Parses an SDK's position; if it is ahead of this replica, reads the latest changes first. */
  const positionOf = async (text: string | string[] | undefined) => {
    const known = readPosition(text);
    if (isAhead(snapshot, known)) {
      await snapshot.refresh();
    }
    return known;
  };

  app.get(
    '/api/client/delta',
    {
      config: { access: access.client },
      schema: {
        tags,
        summary:
          'Get the changes since If-None-Match, or everything; 304 if nothing has changed',
        querystring: DeltaQuery,
        response: { 200: DeltaResponse, 304: NotModified },
      },
    },
    async ({ headers, caller, query }, reply) => {
      const known = await positionOf(headers['if-none-match']);
      const token = tokenOf(caller);
      desk.noteReader(headers, token);
      const scope = scopeQuery(token, query);
      const { events, position } = deltaSince(snapshot, scope, known);
      reply.header('etag', `"${writePosition(position)}"`);
      return events.length === 0
        ? reply.code(304).send(undefined)
        : reply.send({ events: [...events] as never });
    },
  );

  app.get(
    '/api/client/streaming',
    {
      config: { access: access.client },
      schema: {
        tags,
        summary: 'Stream changes as server-sent events',
        querystring: DeltaQuery,
        response: {
          200: Type.String({ description: 'text/event-stream' }),
        },
      },
    },
    async ({ headers, caller, query }, reply) => {
      const known = await positionOf(headers['last-event-id']);
      const token = tokenOf(caller);
      const scope = scopeQuery(token, query);
      const first = streams.open(scope, known);
      streams.add(startEventStream(reply), {
        query: scope,
        token,
        first,
        noteAlive: () => desk.noteReader(headers, token),
      });
    },
  );

  app.addHook('preClose', async () => streams.close());
}

/** Starts a response of server-sent events, bypassing everything that would buffer them. */
export function startEventStream(reply: FastifyReply): ServerResponse {
  reply.hijack();
  return reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
}
