import {
  EntityNotFoundError,
  EntityQueryError,
  type EntityScope,
  type EntitySummary,
  entitySummarySchema,
  InvalidEntityRefError,
  newestFirst,
  readTimelineQuery,
  resolveScope,
  summaryOf,
  timelineAnswerSchema,
  type TimelineItem,
  type TimelineQuery,
} from '@slipway/entity-contract';
import { Type } from 'typebox';
import type { Access, Caller } from '../auth/Access.ts';
import {
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
} from '../errors/ServiceError.ts';
import type { ServiceApp } from '../http/ServiceApp.ts';
import { PortalClient } from '../portal/PortalClient.ts';
import { PortalCatalog } from './PortalCatalog.ts';

const Params = Type.Object({
  ref: Type.String({
    maxLength: 200,
    description:
      'A component, system, group, or the calling user: `component:default/shop`, percent-encoded.',
  }),
});

const Query = Type.Object({
  from: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Inclusive, ISO 8601; defaults to 30 days before `to`.',
    }),
  ),
  to: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Exclusive, ISO 8601; defaults to now.',
    }),
  ),
  kind: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'One or more kinds, separated by commas; defaults to all.',
    }),
  ),
  limit: Type.Optional(
    Type.String({ maxLength: 9, description: '1 to 200; defaults to 50.' }),
  ),
});

/** The reports of a service about catalog entities. */
export interface EntityPart {
  /** Returns the current state of an entity for a caller: numbers and pending work. */
  summary(scope: EntityScope, caller: Caller): Promise<EntitySummary>;
  /** Lists events in any order. No more than `limit + 1` items are used. */
  timeline(
    scope: EntityScope,
    query: TimelineQuery,
    caller: Caller,
  ): Promise<TimelineItem[]>;
  /** True if the timeline contains only the caller's own items; false by default. */
  listsOwnOnly?(caller: Caller): Promise<boolean>;
}

/**
 * Adds `GET /api/v1/entities/{ref}/summary` and `/timeline`, from which the portal reads what a
 * service knows about a component, about all components of a system or group, or about those that
 * the caller's groups own.
 *
 * @param options.access - who may read this information.
 */
export function entityRoutes(
  app: ServiceApp,
  options: {
    access: Access;
    part: EntityPart;
    /** The portal that serves the catalog, and the service's token for it. */
    portal: { baseUrl: string; token: string | undefined };
    now: () => number;
  },
): void {
  const { access, part, now } = options;
  const tags = ['entities'];
  const config = { access, faults: ['unavailable'] as const };
  const scopeOf = createScopeReader(options);

  app.get(
    '/api/v1/entities/:ref/summary',
    {
      config,
      schema: {
        tags,
        summary: 'Get the current state of a catalog entity',
        params: Params,
        response: { 200: entitySummarySchema },
      },
    },
    async ({ params, caller }) => {
      const scope = await scopeOf(params.ref, caller);
      return summaryOf(scope, await part.summary(scope, caller));
    },
  );

  app.get(
    '/api/v1/entities/:ref/timeline',
    {
      config,
      schema: {
        tags,
        summary: 'List the events of a catalog entity, newest first',
        params: Params,
        querystring: Query,
        response: { 200: timelineAnswerSchema },
      },
    },
    async ({ params, query, caller }) => {
      const asked = await wordFaults(async () =>
        readTimelineQuery(query, now()),
      );
      const scope = await scopeOf(params.ref, caller);
      const [items, ownOnly] = await Promise.all([
        part.timeline(scope, asked, caller),
        part.listsOwnOnly?.(caller),
      ]);
      return { ...newestFirst(items, asked), ...(ownOnly && { ownOnly }) };
    },
  );
}

/** Resolves an entity reference to its scope for a caller; throws errors that become responses. */
export type ScopeReader = (ref: string, caller: Caller) => Promise<EntityScope>;

/** Creates a function that resolves scopes with the portal's catalog. */
export function createScopeReader(options: {
  /** The portal that serves the catalog, and the service's token for it. */
  portal: { baseUrl: string; token: string | undefined };
  now: () => number;
}): ScopeReader {
  const { portal, now } = options;
  const catalog = new PortalCatalog({ portal: new PortalClient(portal), now });
  return (ref, caller) =>
    wordFaults(() =>
      resolveScope(ref, { catalog, groupsOf: user => groupsOf(user, caller) }),
    );
}

/**
 * Returns the groups of the caller.
 *
 * @throws ForbiddenError if `user` is another user.
 */
async function groupsOf(
  user: string,
  caller: Caller,
): Promise<readonly string[]> {
  if (caller.kind !== 'user' || caller.id.toLowerCase() !== user) {
    throw new ForbiddenError('You can only query your own user');
  }
  return caller.groups();
}

async function wordFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EntityNotFoundError) {
      throw new NotFoundError(error.message);
    }
    if (error instanceof InvalidEntityRefError) {
      throw new InvalidRequestError(error.message, {
        field: 'ref',
        constraint: 'pattern',
      });
    }
    if (error instanceof EntityQueryError) {
      throw new InvalidRequestError(error.message, {
        field: error.field,
        constraint: 'format',
      });
    }
    throw error;
  }
}
