import { InvalidRequestError, type ServiceApp } from '@slipway/service-kit';
import type { FastifyReply } from 'fastify';
import type { Permissions } from '../access/Permissions.ts';
import type { StartedBuild } from '../builds/Build.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import { acceptForms, FormBody } from '../triggers/FormBody.ts';
import type { BuildLookup } from './BuildLookup.ts';
import { BuildParams, LogAnswer, LogQuery } from './schemas.ts';

const TEXT = 'text/plain; charset=utf-8';

/** The log of a build, as it grows and as a whole. */
export function logRoutes(
  app: ServiceApp,
  options: {
    permissions: Permissions;
    lookup: BuildLookup;
    logs: BuildLogs;
  },
): void {
  const { permissions, lookup, logs } = options;
  const config = { access: permissions.read };

  const read = async (build: StartedBuild, start: number) => {
    const chunk = await logs.read(build.id, start);
    return {
      ...chunk,
      // Asked before the log was read: its end is written before the build's.
      more: chunk.hasMore || build.state === 'running',
    };
  };

  const progress = async (
    params: { job: string; build: string },
    start: number,
    reply: FastifyReply,
  ) => {
    const { text, end, more } = await read(await lookup.build(params), start);
    reply.type(TEXT).header('x-text-size', String(end));
    if (more) {
      // Absent otherwise: some clients take any value for yes.
      reply.header('x-more-data', 'true');
    }
    return text;
  };

  const describe = (summary: string) => ({
    tags: ['logs'],
    summary,
    params: BuildParams,
  });

  app.get(
    '/job/:job/:build/logText/progressiveText',
    {
      config,
      schema: {
        ...describe('Read the log from an offset'),
        querystring: LogQuery,
      },
    },
    async ({ params, query }, reply) =>
      progress(params, query.start ?? 0, reply),
  );

  app.register(async (routes: ServiceApp) => {
    acceptForms(routes);
    // Some clients post where they read.
    routes.post(
      '/job/:job/:build/logText/progressiveText',
      {
        config: { ...config, faults: ['payloadTooLarge'] },
        schema: {
          ...describe('Read the log from the offset of a form'),
          querystring: LogQuery,
        },
      },
      async ({ params, query, body }, reply) =>
        progress(params, startOf(body) ?? query.start ?? 0, reply),
    );
  });

  app.get(
    '/job/:job/:build/log',
    {
      config,
      schema: {
        ...describe('Read the log from an offset, as JSON'),
        querystring: LogQuery,
        response: { 200: LogAnswer },
      },
    },
    async ({ params, query }) =>
      read(await lookup.build(params), query.start ?? 0),
  );

  app.get(
    '/job/:job/:build/consoleText',
    { config, schema: describe('Read the whole log') },
    async ({ params }, reply) => {
      const build = await lookup.build(params);
      return reply.type(TEXT).send((await logs.stream(build.id)) ?? '');
    },
  );
}

/** @throws InvalidRequestError */
function startOf(body: unknown): number | undefined {
  const text =
    body instanceof FormBody ? body.fields.get('start')?.[0] : undefined;
  if (text !== undefined && !/^\d{1,15}$/.test(text)) {
    throw new InvalidRequestError('start must be a number of bytes', {
      field: 'start',
      constraint: 'type',
    });
  }
  return text === undefined ? undefined : Number(text);
}
