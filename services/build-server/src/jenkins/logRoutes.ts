import { InvalidRequestError, type ServiceApp } from '@slipway/service-kit';
import type { FastifyReply } from 'fastify';
import type { Permissions } from '../access/Permissions.ts';
import type { StartedBuild } from '../builds/Build.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import { acceptForms, FormBody } from '../triggers/FormBody.ts';
import type { BuildLookup } from './BuildLookup.ts';
import { BuildParams, LogAnswer, LogQuery } from './schemas.ts';
import { escaped } from './toXml.ts';

const TEXT = 'text/plain; charset=utf-8';
const HTML = 'text/html; charset=utf-8';

/** Dependencies of the routes that return logs. */
export interface LogRouteOptions {
  permissions: Permissions;
  lookup: BuildLookup;
  logs: BuildLogs;
}

/** Returns the schema that all routes of the log of a build share. */
export function describeLogRoute(summary: string) {
  return { tags: ['logs'], summary, params: BuildParams };
}

/** Registers the routes that return the log of a build, progressively or as a whole. */
export function logRoutes(app: ServiceApp, options: LogRouteOptions): void {
  const { permissions, lookup, logs } = options;
  const config = { access: permissions.read };

  const read = async (build: StartedBuild, start: number) => {
    const { bytes, end, hasMore } = await logs.read(build.id, start);
    // The build is read before the log: the end of the log is written before that of the build.
    return { bytes, end, more: hasMore || build.state !== 'finished' };
  };

  const progress = async (
    params: { job: string; build: string },
    {
      start,
      reply,
      isHtml,
    }: { start: number; reply: FastifyReply; isHtml: boolean },
  ) => {
    const { bytes, end, more } = await read(await lookup.build(params), start);
    reply.type(isHtml ? HTML : TEXT).header('x-text-size', String(end));
    // Logs are not trusted: in a browser, they must not run scripts.
    reply.header('content-security-policy', "default-src 'none'; sandbox");
    if (more) {
      // Omitted otherwise: some clients treat any value as true.
      reply.header('x-more-data', 'true');
    }
    return isHtml ? escaped(bytes.toString('utf8')) : bytes;
  };

  for (const form of ['Text', 'Html'] as const) {
    const isHtml = form === 'Html';
    app.get(
      `/job/:job/:build/logText/progressive${form}`,
      {
        config,
        schema: {
          ...describeLogRoute('Read the log from an offset'),
          querystring: LogQuery,
        },
      },
      async ({ params, query }, reply) =>
        progress(params, { start: query.start ?? 0, reply, isHtml }),
    );

    app.register(async (routes: ServiceApp) => {
      acceptForms(routes);
      // Some clients use POST for reading.
      routes.post(
        `/job/:job/:build/logText/progressive${form}`,
        {
          config: { ...config, faults: ['payloadTooLarge'] },
          schema: {
            ...describeLogRoute('Read the log from the offset of a form'),
            querystring: LogQuery,
          },
        },
        async ({ params, query, body }, reply) => {
          const start = startOf(body) ?? query.start ?? 0;
          return progress(params, { start, reply, isHtml });
        },
      );
    });
  }

  app.get(
    '/job/:job/:build/log',
    {
      config,
      schema: {
        ...describeLogRoute('Read the log from an offset, as JSON'),
        querystring: LogQuery,
        response: { 200: LogAnswer },
      },
    },
    async ({ params, query }) => {
      const build = await lookup.build(params);
      const { bytes, end, more } = await read(build, query.start ?? 0);
      return { text: bytes.toString('utf8'), end, more };
    },
  );

  app.get(
    '/job/:job/:build/consoleText',
    { config, schema: describeLogRoute('Read the whole log') },
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
