import { actorOf, type Caller, type ServiceApp } from '@slipway/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { FlagAccess } from '../tokens/access.ts';
import type { KnownThings } from './checkRules.ts';
import type {
  EditContext,
  FlagAdmin,
  NewFlag,
  SentSettings,
} from './FlagAdmin.ts';
import { flagTag } from './preconditions.ts';
import { presentFlag } from './present.ts';
import {
  FlagResponse,
  FlagCreation,
  FlagList,
  FlagListQuery,
  FlagPath,
  FlagUpdate,
  Precondition,
} from './schemas.ts';
import { type Flag, LIST_VERSION, NEW_TRAITS } from '../model/Flag.ts';

const tags = ['flags'];

/**
 * Adds `/api/admin/features`, the routes that read and change flags in the service's own
 * environment. Each response with a flag has its entity tag; a change with that tag
 * in `If-Match` is rejected if the flag has changed since.
 */
export function flagRoutes(
  app: ServiceApp,
  options: {
    flags: FlagAdmin;
    known: KnownThings;
    environment: string;
    access: FlagAccess;
  },
): void {
  const { flags, known, environment, access } = options;
  const present = (flag: Flag) => presentFlag(flag, environment, known);
  const respond = (reply: FastifyReply, flag: Flag) => {
    reply.header('etag', flagTag(flag, environment));
    return present(flag);
  };
  const write = {
    config: { access: access.change, faults: ['preconditionFailed'] },
  } as const;

  app.get(
    '/api/admin/features',
    {
      config: { access: access.read },
      schema: {
        tags,
        summary: 'List the flags, by name',
        querystring: FlagListQuery,
        response: { 200: FlagList },
      },
    },
    async ({ query }) => ({
      version: LIST_VERSION,
      features: (await flags.list(query)).map(present),
    }),
  );

  app.post(
    '/api/admin/features',
    {
      config: { access: access.write, faults: ['conflict'] },
      schema: {
        tags,
        summary: 'Create a flag',
        body: FlagCreation,
        response: { 201: FlagResponse },
      },
    },
    async ({ body, caller }, reply) => {
      const by = actorOf(caller);
      const flag = await flags.create(readNewFlag(body), { by, environment });
      reply
        .code(201)
        .header(
          'location',
          `/api/admin/features/${encodeURIComponent(flag.name)}`,
        );
      return respond(reply, flag);
    },
  );

  app.get(
    '/api/admin/features/:featureName',
    {
      config: { access: access.read },
      schema: {
        tags,
        summary: 'Get a flag, archived or not',
        params: FlagPath,
        response: { 200: FlagResponse },
      },
    },
    async ({ params }, reply) =>
      respond(reply, await flags.get(params.featureName)),
  );

  app.patch(
    '/api/admin/features/:featureName',
    {
      ...write,
      schema: {
        tags,
        summary: 'Change the given fields of a flag',
        params: FlagPath,
        headers: Precondition,
        body: FlagUpdate,
        response: { 200: FlagResponse },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      const changes = readChanges(body);
      const context = contextOf(request, environment);
      return respond(
        reply,
        await flags.update(params.featureName, changes, context),
      );
    },
  );

  app.delete(
    '/api/admin/features/:featureName',
    {
      ...write,
      schema: {
        tags,
        summary:
          'Archive a flag: clients no longer get it, its name stays reserved',
        params: FlagPath,
        headers: Precondition,
        response: { 200: FlagResponse },
      },
    },
    async (request, reply) =>
      respond(
        reply,
        await flags.archive(
          request.params.featureName,
          contextOf(request, environment),
        ),
      ),
  );

  app.post(
    '/api/admin/archive/revive/:featureName',
    {
      ...write,
      schema: {
        tags,
        summary: 'Restore a flag from the archive, switched off',
        params: FlagPath,
        headers: Precondition,
        response: { 200: FlagResponse },
      },
    },
    async (request, reply) =>
      respond(
        reply,
        await flags.revive(
          request.params.featureName,
          contextOf(request, environment),
        ),
      ),
  );

  for (const enabled of [true, false]) {
    app.post(
      `/api/admin/features/:featureName/toggle/${enabled ? 'on' : 'off'}`,
      {
        ...write,
        schema: {
          tags,
          summary: `Turn a flag ${enabled ? 'on' : 'off'}`,
          params: FlagPath,
          headers: Precondition,
          response: { 200: FlagResponse },
        },
      },
      async (request, reply) =>
        respond(
          reply,
          await flags.update(
            request.params.featureName,
            { enabled },
            contextOf(request, environment),
          ),
        ),
    );
  }
}

/** Reads the author of a change and its `If-Match` from a request. */
export function contextOf(
  request: { caller: Caller; headers: FastifyRequest['headers'] },
  environment: string,
): EditContext {
  const ifMatch = request.headers['if-match'];
  return { by: actorOf(request.caller), environment, ifMatch };
}

const SETTINGS = [
  'description',
  'type',
  'enabled',
  'stale',
  'impressionData',
  'dependencies',
  'tags',
  'strategies',
  'variants',
] as const satisfies readonly (keyof SentSettings)[];

/** Returns the settings in a body, without unknown fields. */
function readChanges(body: Static<typeof FlagUpdate>): Partial<SentSettings> {
  return Object.fromEntries(
    SETTINGS.flatMap(key =>
      body[key] === undefined ? [] : [[key, body[key]]],
    ),
  );
}

/** Returns a new flag from a body, in which the schema has set all defaults. */
function readNewFlag(body: Static<typeof FlagCreation>): NewFlag {
  const { name, project } = body;
  const settings = readChanges(body) as SentSettings;
  return { ...NEW_TRAITS, name, project, ...settings };
}
