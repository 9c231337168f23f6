import { isDeepStrictEqual } from 'node:util';
import type { ServiceApp } from '@slipway/service-kit';
import type { Flag, Tag as FlagTag } from '../model/Flag.ts';
import type { FlagAccess } from '../tokens/access.ts';
import { TagChanges, TagList, TagPath } from './featureSchemas.ts';
import type { FlagAdmin } from './FlagAdmin.ts';
import { contextOf } from './routes.ts';
import { FlagPath, Tag } from './schemas.ts';
import { without } from './flagEdits.ts';

/** Adds `/api/admin/features/{featureName}/tags`. */
export function tagRoutes(
  app: ServiceApp,
  options: { flags: FlagAdmin; environment: string; access: FlagAccess },
): void {
  const { flags, environment, access } = options;
  const path = '/api/admin/features/:featureName/tags';
  const tags = ['features'];
  const config = { access: access.change };
  const present = (flag: Flag) => ({ version: 1, tags: flag.tags });
  const isTag = (one: FlagTag) => (other: FlagTag) =>
    isDeepStrictEqual(one, other);
  const change = (
    request: Parameters<typeof contextOf>[0],
    featureName: string,
    edit: (own: FlagTag[]) => FlagTag[],
  ) =>
    flags.edit(featureName, contextOf(request, environment), flag => ({
      ...flag,
      tags: edit(flag.tags),
    }));

  app.get(
    path,
    {
      config: { access: access.read },
      schema: {
        tags,
        summary: 'List the tags of a flag',
        params: FlagPath,
        response: { 200: TagList },
      },
    },
    async ({ params }) => present(await flags.get(params.featureName)),
  );

  app.post(
    path,
    {
      config,
      schema: {
        tags,
        summary: 'Add a tag to a flag',
        params: FlagPath,
        body: Tag,
        response: { 201: Tag },
      },
    },
    async (request, reply) => {
      const { type, value } = request.body;
      const tag = { type, value };
      await change(request, request.params.featureName, own =>
        own.some(isTag(tag)) ? own : [...own, tag],
      );
      reply.code(201);
      return tag;
    },
  );

  app.put(
    path,
    {
      config,
      schema: {
        tags,
        summary: 'Add tags to a flag and remove others',
        params: FlagPath,
        body: TagChanges,
        response: { 200: TagList },
      },
    },
    async request => {
      const [added, removed] = [
        request.body.addedTags,
        request.body.removedTags,
      ].map(list => list.map(({ type, value }) => ({ type, value })));
      return present(
        await change(request, request.params.featureName, own => {
          const kept = own.filter(tag => !removed.some(isTag(tag)));
          const wanted = [...kept, ...added];
          return wanted.filter(
            (tag, index) => wanted.findIndex(isTag(tag)) === index,
          );
        }),
      );
    },
  );

  app.delete(
    `${path}/:type/:value`,
    {
      config,
      schema: {
        tags,
        summary: 'Remove a tag from a flag',
        params: TagPath,
        response: { 200: TagList },
      },
    },
    async request => {
      const { featureName, type, value } = request.params;
      return present(
        await change(request, featureName, own =>
          without(
            own,
            isTag({ type, value }),
            `Flag ${featureName} has no tag ${type}:${value}`,
          ),
        ),
      );
    },
  );
}
