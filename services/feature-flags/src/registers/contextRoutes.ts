import { actorOf, type ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import { SortOrder } from '../flags/schemas.ts';
import type { FlagAccess } from '../tokens/access.ts';
import type { ContextFields } from './registers.ts';
import { Description, given, KeyPath } from './schemas.ts';

const FieldName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^(?!__proto__$)[^\\s/]+$',
  patternDescription: 'must not contain spaces or slashes',
});
const LegalValues = Type.Array(
  Type.Object({
    value: Type.String({ minLength: 1, maxLength: 1_000 }),
    description: Type.Optional(Type.String({ maxLength: 1_000 })),
  }),
  { maxItems: 1_000 },
);
const contextField = {
  description: Description,
  stickiness: Type.Boolean(),
  sortOrder: SortOrder,
  legalValues: LegalValues,
};
const ContextField = Type.Object({ name: FieldName, ...contextField });
const ContextFieldCreation = Type.Object({
  name: FieldName,
  description: Type.String({ ...Description, default: '' }),
  stickiness: Type.Boolean({ default: false }),
  sortOrder: Type.Integer({ ...SortOrder, default: 100 }),
  legalValues: Type.Array(LegalValues.items, {
    maxItems: 1_000,
    default: [],
  }),
});
const ContextFieldChanges = Type.Partial(Type.Object(contextField));

/** Adds `/api/admin/context`. */
export function contextRoutes(
  app: ServiceApp,
  {
    contextFields,
    access,
  }: { contextFields: ContextFields; access: FlagAccess },
): void {
  const read = { config: { access: access.read } };
  const write = { config: { access: access.write } };
  const create = {
    config: { access: access.write, faults: ['conflict'] },
  } as const;

  const tags = ['context'];
  app.get(
    '/api/admin/context',
    {
      ...read,
      schema: {
        tags,
        summary: 'List the context fields',
        response: { 200: Type.Array(ContextField) },
      },
    },
    async () => (await contextFields.list()).map(presentField),
  );
  app.post(
    '/api/admin/context',
    {
      ...create,
      schema: {
        tags,
        summary: 'Create a context field',
        body: ContextFieldCreation,
        response: { 201: ContextField },
      },
    },
    async ({ body, caller }, reply) => {
      const { name, description, stickiness, sortOrder, legalValues } = body;
      const field = { name, description, stickiness, sortOrder, legalValues };
      reply.code(201);
      return presentField(await contextFields.create(field, actorOf(caller)));
    },
  );
  app.get(
    '/api/admin/context/:key',
    {
      ...read,
      schema: {
        tags,
        summary: 'Get a context field',
        params: KeyPath,
        response: { 200: ContextField },
      },
    },
    async ({ params }) => presentField(await contextFields.get(params.key)),
  );
  app.put(
    '/api/admin/context/:key',
    {
      ...write,
      schema: {
        tags,
        summary: 'Change the given fields of a context field',
        params: KeyPath,
        body: ContextFieldChanges,
        response: { 200: ContextField },
      },
    },
    async ({ params, body, caller }) =>
      presentField(
        await contextFields.update(
          params.key,
          given(body, ContextFieldChanges),
          actorOf(caller),
        ),
      ),
  );
  app.delete(
    '/api/admin/context/:key',
    {
      ...create,
      schema: {
        tags,
        summary: 'Delete a custom context field',
        params: KeyPath,
        response: { 200: ContextField },
      },
    },
    async ({ params, caller }) =>
      presentField(await contextFields.remove(params.key, actorOf(caller))),
  );
}

function presentField(field: Awaited<ReturnType<ContextFields['get']>>) {
  return { ...field, legalValues: [...field.legalValues] };
}
