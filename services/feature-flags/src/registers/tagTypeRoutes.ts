import { actorOf, type ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { FlagAccess } from '../tokens/access.ts';
import type { TagTypes } from './registers.ts';
import { Description, given, KeyPath } from './schemas.ts';

const Icon = Type.String({
  maxLength: 100,
  description: 'A letter, an emoji or the name of an icon.',
});
const Color = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  pattern: '^#[0-9a-fA-F]{6}$',
  patternDescription: 'must be a colour such as #0a7ea4',
});
const TagType = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 50,
    pattern: '^(?!__proto__$)[^\\s/:]+$',
    patternDescription: 'must not contain spaces, slashes or colons',
  }),
  description: Description,
  icon: Icon,
  color: Color,
});
const TagTypeCreation = Type.Object({
  name: TagType.properties.name,
  description: Type.String({ ...Description, default: '' }),
  icon: Type.String({ ...Icon, default: '' }),
  color: Type.Optional(Color),
});
const TagTypeChanges = Type.Partial(
  Type.Object({ description: Description, icon: Icon, color: Color }),
);
const OneTagType = Type.Object({ version: Type.Integer(), tagType: TagType });

/** Adds `/api/admin/tag-types`. Flags may have tags of other types too, which have no description. */
export function tagTypeRoutes(
  app: ServiceApp,
  { tagTypes, access }: { tagTypes: TagTypes; access: FlagAccess },
): void {
  const path = '/api/admin/tag-types';
  const read = { config: { access: access.read } };
  const write = {
    config: { access: access.write, faults: ['conflict'] },
  } as const;
  const tags = ['tag-types'];

  app.get(
    path,
    {
      ...read,
      schema: {
        tags,
        summary: 'List the tag types',
        response: {
          200: Type.Object({
            version: Type.Integer(),
            tagTypes: Type.Array(TagType),
          }),
        },
      },
    },
    async () => ({ version: 1, tagTypes: await tagTypes.list() }),
  );
  app.post(
    path,
    {
      ...write,
      schema: {
        tags,
        summary: 'Create a tag type',
        body: TagTypeCreation,
        response: { 201: TagType },
      },
    },
    async ({ body, caller }, reply) => {
      const { name, description, icon, color = null } = body;
      reply.code(201);
      return tagTypes.create(
        { name, description, icon, color },
        actorOf(caller),
      );
    },
  );
  app.get(
    `${path}/:key`,
    {
      ...read,
      schema: {
        tags,
        summary: 'Get a tag type',
        params: KeyPath,
        response: { 200: OneTagType },
      },
    },
    async ({ params }) => ({
      version: 1,
      tagType: await tagTypes.get(params.key),
    }),
  );
  app.put(
    `${path}/:key`,
    {
      ...write,
      schema: {
        tags,
        summary: 'Change the given fields of a tag type',
        params: KeyPath,
        body: TagTypeChanges,
        response: { 200: TagType },
      },
    },
    ({ params, body, caller }) =>
      tagTypes.update(params.key, given(body, TagTypeChanges), actorOf(caller)),
  );
  app.delete(
    `${path}/:key`,
    {
      ...write,
      schema: {
        tags,
        summary: 'Delete a tag type that no flag uses',
        params: KeyPath,
        response: { 200: TagType },
      },
    },
    ({ params, caller }) => tagTypes.remove(params.key, actorOf(caller)),
  );
}
