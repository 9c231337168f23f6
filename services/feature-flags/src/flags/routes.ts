import { actorOf, type ServiceApp } from '@slipway/service-kit';
import type { FlagAccess } from '../access.ts';
import type { FlagAdmin } from './FlagAdmin.ts';
import { LIST_VERSION, presentFlag } from './presentFlag.ts';
import { readChanges, readNewFlag } from './readFlag.ts';
import {
  FlagAnswer,
  FlagCreation,
  FlagList,
  FlagListQuery,
  FlagPath,
  FlagUpdate,
} from './schemas.ts';

const tags = ['flags'];

/** `/api/admin/features`: everything that is done to flags. */
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
