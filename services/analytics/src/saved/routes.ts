import { isoOf } from '@slipway/entity-contract';
import {
  type Access,
  preconditionOf,
  type ServiceApp,
} from '@slipway/service-kit';
import type { FastifyReply } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { ProjectPath } from '../projects/schemas.ts';
import { unwrapQuery } from '../query/unwrapQuery.ts';
import {
  type ReadItem,
  type SavedContent,
  type SavedItems,
  tagOf,
} from './SavedItems.ts';
import {
  DashboardBody,
  InsightBody,
  NewDashboard,
  NewInsight,
  SavedPath,
} from './schemas.ts';
import type { SavedKind } from './storage/SavedStore.ts';

interface Collection {
  readonly kind: SavedKind;
  readonly path: string;
  readonly noun: string;
  readonly body: TSchema;
  readonly answer: TSchema;
}

const COLLECTIONS: readonly Collection[] = [
  {
    kind: 'insight',
    path: 'insights',
    noun: 'insight',
    body: NewInsight,
    answer: InsightBody,
  },
  {
    kind: 'dashboard',
    path: 'dashboards',
    noun: 'dashboard',
    body: NewDashboard,
    answer: DashboardBody,
  },
];

/** Maximum bytes of an item: lists contain up to a thousand items. */
const MOST_BYTES = 64 * 1024;

/** Adds the routes of saved insights and dashboards. */
export function savedRoutes(
  app: ServiceApp,
  options: { items: SavedItems; users: Access },
): void {
  COLLECTIONS.forEach(collection => addCollection(app, collection, options));
}

function addCollection(
  app: ServiceApp,
  { kind, path, noun, body, answer }: Collection,
  { items, users }: { items: SavedItems; users: Access },
): void {
  const tags = ['saved'];
  const config = { access: users };
  const url = `/api/projects/:projectId/${path}`;

  app.get(
    url,
    {
      config,
      schema: {
        tags,
        summary: `List the ${noun}s of a project`,
        params: ProjectPath,
        response: { 200: Type.Object({ [path]: Type.Array(answer) }) },
      },
    },
    async ({ params, caller }) => ({
      [path]: (
        await items.list(caller, { projectId: params.projectId, kind })
      ).map(present),
    }),
  );
  app.post(
    url,
    {
      config: { ...config, faults: ['conflict'] },
      bodyLimit: MOST_BYTES,
      preValidation: unwrapQuery,
      schema: {
        tags,
        summary: `Save ${kind === 'insight' ? 'an' : 'a'} ${noun}`,
        params: ProjectPath,
        body,
        response: { 201: answer },
      },
    },
    async (request, reply) => {
      const { params, caller } = request;
      const place = { projectId: params.projectId, kind };
      reply.code(201);
      return send(
        reply,
        await items.create(caller, place, contentOf(request.body)),
      );
    },
  );
  app.get(
    `${url}/:id`,
    {
      config,
      schema: {
        tags,
        summary: `Get ${kind === 'insight' ? 'an' : 'a'} ${noun}`,
        params: SavedPath,
        response: { 200: answer },
      },
    },
    async ({ params, caller }, reply) =>
      send(reply, await items.get(caller, { ...params, kind })),
  );
  app.put(
    `${url}/:id`,
    {
      config: { ...config, faults: ['preconditionFailed'] },
      bodyLimit: MOST_BYTES,
      preValidation: unwrapQuery,
      schema: {
        tags,
        summary: `Change ${kind === 'insight' ? 'an' : 'a'} ${noun}`,
        params: SavedPath,
        headers: preconditionOf(noun),
        body,
        response: { 200: answer },
      },
    },
    async (request, reply) => {
      const { params, caller, headers } = request;
      const changed = await items.change(
        caller,
        { ...params, kind },
        { content: contentOf(request.body), ifMatch: headers['if-match'] },
      );
      return send(reply, changed);
    },
  );
  app.delete(
    `${url}/:id`,
    {
      config: { ...config, faults: ['preconditionFailed'] },
      schema: {
        tags,
        summary: `Delete ${kind === 'insight' ? 'an' : 'a'} ${noun}`,
        params: SavedPath,
        headers: preconditionOf(noun),
      },
    },
    async ({ params, caller, headers }) => {
      await items.remove(
        caller,
        { ...params, kind },
        { ifMatch: headers['if-match'] },
      );
      return {};
    },
  );
}

/** Splits a validated body into its name and content. */
function contentOf(body: unknown): SavedContent {
  const { name, ...content } = body as { name: string };
  return { name: name.trim(), content };
}

function send(reply: FastifyReply, item: ReadItem): object {
  reply.header('etag', tagOf(item));
  return present(item);
}

function present(item: ReadItem): object {
  return {
    ...item.content,
    id: item.id,
    name: item.name,
    version: item.version,
    created_by: item.createdBy,
    updated_at: isoOf(item.updatedAt),
    may_change: item.mayChange,
  };
}
