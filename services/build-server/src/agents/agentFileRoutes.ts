import { Readable } from 'node:stream';
import {
  type Access,
  InvalidRequestError,
  NotFoundError,
  type ServiceApp,
} from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';
import { ArtifactError } from '../artifacts/Artifacts.ts';
import { CacheError } from '../execution/Exchange.ts';
import { CACHE_MATCH } from './Agent.ts';
import type { AgentReports } from './AgentReports.ts';
import { heldOf } from './agentAuth.ts';
import {
  ArtifactParams,
  CacheParams,
  HeldParams,
  HeldQuery,
  NoContent,
  OtherFileQuery,
  OthersAnswer,
  OthersQuery,
} from './schemas.ts';

async function* noContent(): AsyncGenerator<Buffer> {}

/** Registers the routes by which agents upload and download the files of their builds. */
export function agentFileRoutes(
  app: ServiceApp,
  options: {
    reports: AgentReports;
    access: Access;
    artifactBytes: number;
    cacheBytes: number;
  },
): void {
  const { reports, access } = options;
  const config = { access, faults: ['conflict' as const] };

  app.get(
    '/agent/builds/:id/others',
    {
      config,
      schema: {
        tags: ['agents'],
        summary: 'List the artifacts of another job that a build may read',
        params: HeldParams,
        querystring: OthersQuery,
        response: { 200: OthersAnswer },
      },
    },
    async request => {
      const { jobArtifacts } = await reports.exchangeOf(heldOf(request));
      return { found: (await jobArtifacts.list(request.query.job)) ?? null };
    },
  );

  app.get(
    '/agent/builds/:id/others/file',
    {
      config: { ...config, faults: ['notFound', 'conflict'] },
      schema: {
        tags: ['agents'],
        summary: 'Read an artifact of another job',
        params: HeldParams,
        querystring: OtherFileQuery,
      },
    },
    async (request, reply) => {
      const { jobArtifacts } = await reports.exchangeOf(heldOf(request));
      const { job, number, path } = request.query;
      const content = await jobArtifacts.open({ job, number, path });
      if (!content) {
        throw new NotFoundError(`${job} #${number} has no ${path}`);
      }
      return reply
        .type('application/octet-stream')
        .send(Readable.from(content, { objectMode: false }));
    },
  );

  app.get(
    '/agent/builds/:id/caches/:name/:key',
    {
      config: { ...config, faults: ['notFound', 'conflict'] },
      schema: {
        tags: ['agents'],
        summary: 'Read a cache',
        params: CacheParams,
        querystring: HeldQuery,
      },
    },
    async (request, reply) => {
      const { caches } = await reports.exchangeOf(heldOf(request));
      const { name, key } = request.params;
      const found = await caches.fetch({ name, key });
      if (!found) {
        throw new NotFoundError(`Cache ${name} not found`);
      }
      return reply
        .type('application/octet-stream')
        .header(CACHE_MATCH, found.isExact ? 'exact' : 'nearest')
        .send(Readable.from(found.content, { objectMode: false }));
    },
  );

  app.register(async (routes: ServiceApp) => {
    // Never parsed as a body: files of any size are streamed to disk.
    const contents = new WeakMap<FastifyRequest, AsyncIterable<Buffer>>();
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser(
      'application/octet-stream',
      (request, payload, done) => {
        contents.set(request, payload);
        done(null);
      },
    );
    /** @throws InvalidRequestError for an invalid file. */
    const take = async (
      request: FastifyRequest,
      keep: (content: AsyncIterable<Buffer>) => Promise<void>,
    ) => {
      try {
        await keep(contents.get(request) ?? noContent());
      } catch (error) {
        if (error instanceof ArtifactError) {
          throw new InvalidRequestError(error.message, { field: '*' });
        }
        if (error instanceof CacheError) {
          throw new InvalidRequestError(error.message, { field: 'body' });
        }
        throw error;
      } finally {
        // An unread body would keep the connection open.
        request.raw.resume();
      }
    };

    routes.put(
      '/agent/builds/:id/artifacts/*',
      {
        config,
        bodyLimit: options.artifactBytes,
        schema: {
          tags: ['agents'],
          summary: 'Send an artifact',
          params: ArtifactParams,
          querystring: HeldQuery,
          consumes: ['application/octet-stream'],
          response: NoContent,
        },
      },
      async (request, reply) => {
        const name = request.params['*'];
        await take(request, content =>
          reports.putArtifact(heldOf(request), name, content),
        );
        return reply.code(204).send();
      },
    );

    routes.put(
      '/agent/builds/:id/caches/:name/:key',
      {
        config,
        bodyLimit: options.cacheBytes + 1,
        schema: {
          tags: ['agents'],
          summary: 'Store a cache',
          params: CacheParams,
          querystring: HeldQuery,
          consumes: ['application/octet-stream'],
          response: NoContent,
        },
      },
      async (request, reply) => {
        const { name, key } = request.params;
        await take(request, async content => {
          const { caches } = await reports.exchangeOf(heldOf(request));
          await caches.save({ name, key }, content);
        });
        return reply.code(204).send();
      },
    );
  });
}
