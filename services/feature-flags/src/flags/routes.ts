import { actorOf, type ServiceApp } from '@slipway/service-kit';
import type { Static } from 'typebox';
import type { FlagAccess } from '../tokens/access.ts';
import { findProblems } from './checkRules.ts';
import type { FlagAdmin, NewFlag } from './FlagAdmin.ts';
import {
  FlagAnswer,
  FlagCreation,
  FlagList,
  FlagListQuery,
  FlagPath,
  FlagUpdate,
} from './schemas.ts';
import { type Flag, type FlagSettings, LIST_VERSION } from '../model/Flag.ts';

const tags = ['flags'];

/** Adds `/api/admin/features`, the routes that read and change flags. */
export function flagRoutes(
  app: ServiceApp,
  { flags, access }: { flags: FlagAdmin; access: FlagAccess },
): void {
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
      features: (await flags.list(query)).map(presentFlag),
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
        response: { 201: FlagAnswer },
      },
    },
    async ({ body, caller }, reply) => {
      const flag = await flags.create(readNewFlag(body), actorOf(caller));
      reply
        .code(201)
        .header(
          'location',
          `/api/admin/features/${encodeURIComponent(flag.name)}`,
        );
      return presentFlag(flag);
    },
  );

  app.get(
    '/api/admin/features/:featureName',
    {
      config: { access: access.read },
      schema: {
        tags,
        summary: 'Read a flag, an archived one too',
        params: FlagPath,
        response: { 200: FlagAnswer },
      },
    },
    async ({ params }) => presentFlag(await flags.get(params.featureName)),
  );

  app.patch(
    '/api/admin/features/:featureName',
    {
      config: { access: access.write },
      schema: {
        tags,
        summary: 'Change what is given of a flag',
        params: FlagPath,
        body: FlagUpdate,
        response: { 200: FlagAnswer },
      },
    },
    async ({ params, body, caller }) =>
      presentFlag(
        await flags.update(
          params.featureName,
          readChanges(body),
          actorOf(caller),
        ),
      ),
  );

  app.delete(
    '/api/admin/features/:featureName',
    {
      config: { access: access.write },
      schema: {
        tags,
        summary: 'Archive a flag: clients lose it, its name stays taken',
        params: FlagPath,
        response: { 200: FlagAnswer },
      },
    },
    async ({ params, caller }) =>
      presentFlag(await flags.archive(params.featureName, actorOf(caller))),
  );

  app.post(
    '/api/admin/archive/revive/:featureName',
    {
      config: { access: access.write },
      schema: {
        tags,
        summary: 'Take a flag out of the archive, off',
        params: FlagPath,
        response: { 200: FlagAnswer },
      },
    },
    async ({ params, caller }) =>
      presentFlag(await flags.revive(params.featureName, actorOf(caller))),
  );

  for (const enabled of [true, false]) {
    app.post(
      `/api/admin/features/:featureName/toggle/${enabled ? 'on' : 'off'}`,
      {
        config: { access: access.write },
        schema: {
          tags,
          summary: `Turn a flag ${enabled ? 'on' : 'off'}`,
          params: FlagPath,
          response: { 200: FlagAnswer },
        },
      },
      async ({ params, caller }) =>
        presentFlag(
          await flags.update(params.featureName, { enabled }, actorOf(caller)),
        ),
    );
  }
}

/** A flag as the admin API answers it. */
function presentFlag(flag: Flag) {
  const { createdAt, updatedAt, archivedAt, ...rest } = flag;
  const problems = findProblems(flag);
  return {
    ...rest,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    archived: archivedAt !== null,
    ...(problems.length > 0 && { problems }),
  };
}

const SETTINGS = [
  'description',
  'type',
  'enabled',
  'stale',
  'impressionData',
  'strategies',
  'variants',
] as const satisfies readonly (keyof FlagSettings)[];

/** What a body says of a flag; fields that nobody knows stay behind. */
function readChanges(body: Static<typeof FlagUpdate>): Partial<FlagSettings> {
  return Object.fromEntries(
    SETTINGS.flatMap(key =>
      body[key] === undefined ? [] : [[key, body[key]]],
    ),
  );
}

/** A new flag; its schema gave everything a default. */
function readNewFlag(body: Static<typeof FlagCreation>): NewFlag {
  const { name, project } = body;
  return { name, project, ...(readChanges(body) as FlagSettings) };
}
