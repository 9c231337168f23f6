import { isoOf } from '@slipway/entity-contract';
import type { Access, ServiceApp } from '@slipway/service-kit';
import { type Static, Type } from 'typebox';
import { presentPage } from '../projects/pages.ts';
import { ProjectPath } from '../projects/schemas.ts';
import type { DefinitionNotes, DefinitionQuery } from './Definition.ts';
import type { Definitions, UsedDefinition } from './Definitions.ts';
import {
  ChangedDefinition,
  DefinitionPath,
  EventDefinition,
  EventList,
  EventsQuery,
  PropertiesQuery,
  PropertyDefinition,
  PropertyList,
} from './schemas.ts';

const FIELDS = {
  name: 'name',
  created_at: 'firstSeenAt',
  last_seen_at: 'lastSeenAt',
  volume_30_day: 'volume',
} as const;

/** Adds the routes of event and property definitions, in PostHog's shapes. */
export function definitionRoutes(
  app: ServiceApp,
  options: {
    definitions: Definitions;
    users: Access;
    readers: Access;
    admins: Access;
  },
): void {
  const { definitions, users, readers, admins } = options;
  const tags = ['definitions'];
  const events = '/api/projects/:projectId/event_definitions';
  const properties = '/api/projects/:projectId/property_definitions';

  app.get(
    events,
    {
      config: { access: readers },
      schema: {
        tags,
        summary: 'List the events of a project by name',
        params: ProjectPath,
        querystring: EventsQuery,
        response: { 200: EventList },
      },
    },
    async ({ params, query, caller }) => {
      const found = await definitions.list(caller, params.projectId, {
        ...queryOf(query),
        kind: 'event',
      });
      return presentPage(
        { route: events, projectId: params.projectId, query },
        { count: found.count, results: found.definitions.map(present) },
      );
    },
  );
  app.get(
    properties,
    {
      config: { access: readers },
      schema: {
        tags,
        summary: 'List the properties of events or persons by name',
        params: ProjectPath,
        querystring: PropertiesQuery,
        response: { 200: PropertyList },
      },
    },
    async ({ params, query, caller }) => {
      const found = await definitions.list(caller, params.projectId, {
        ...queryOf(query),
        kind: `${query.type}_property`,
      });
      return presentPage(
        { route: properties, projectId: params.projectId, query },
        { count: found.count, results: found.definitions.map(presentProperty) },
      );
    },
  );
  for (const { list, what, isEvent, shape, show } of [
    {
      list: events,
      what: 'an event',
      isEvent: true,
      shape: EventDefinition,
      show: present,
    },
    {
      list: properties,
      what: 'a property',
      isEvent: false,
      shape: PropertyDefinition,
      show: presentProperty,
    },
  ]) {
    app.get(
      `${list}/:id`,
      {
        config: { access: readers },
        schema: {
          tags,
          summary: `Get the definition of ${what}`,
          params: DefinitionPath,
          response: { 200: shape },
        },
      },
      async ({ params, caller }) =>
        show(await definitions.read(caller, { ...params, isEvent })),
    );
    app.patch(
      `${list}/:id`,
      {
        config: { access: users },
        schema: {
          tags,
          summary: `Change what is noted about ${what}`,
          params: DefinitionPath,
          body: ChangedDefinition,
          response: { 200: shape },
        },
      },
      async ({ params, body, caller }) =>
        show(
          await definitions.change(
            caller,
            { ...params, isEvent },
            notesOf(body),
          ),
        ),
    );
    app.delete(
      `${list}/:id`,
      {
        config: { access: admins },
        schema: {
          tags,
          summary: `Delete the definition of ${what}, which the next event creates again`,
          params: DefinitionPath,
          response: { 204: Type.Null() },
        },
      },
      async ({ params, caller }, reply) => {
        await definitions.remove(caller, { ...params, isEvent });
        return reply.code(204).send(null);
      },
    );
  }
}

function queryOf(
  query: Static<typeof EventsQuery>,
): Omit<DefinitionQuery, 'kind'> {
  const {
    search,
    ordering,
    exclude_hidden: isExcluding,
    limit,
    offset,
  } = query;
  const field = ordering.replace(/^-/, '') as keyof typeof FIELDS;
  return {
    ...(search && { search }),
    withHidden: !isExcluding,
    order: { by: FIELDS[field], descending: ordering.startsWith('-') },
    limit,
    offset,
  };
}

function notesOf(
  body: Static<typeof ChangedDefinition>,
): Partial<DefinitionNotes> {
  const { description, owner, verified, hidden } = body;
  return {
    ...(description !== undefined && { description: description.trim() }),
    ...(owner !== undefined && { owner: owner.trim() }),
    ...(verified !== undefined && { isVerified: verified }),
    ...(hidden !== undefined && { isHidden: hidden }),
  };
}

function present(definition: UsedDefinition) {
  const { id, name, description, owner, isVerified, isHidden, volume, uses } =
    definition;
  const { changedAt, changedBy } = definition;
  return {
    id,
    name,
    description,
    owner: owner || null,
    verified: isVerified,
    hidden: isHidden,
    created_at: isoOf(definition.firstSeenAt),
    last_seen_at: isoOf(definition.lastSeenAt),
    volume_30_day: volume,
    used_by_insights: uses,
    ...(changedAt !== undefined && {
      updated_at: isoOf(changedAt),
    }),
    ...(changedBy !== undefined && { updated_by: changedBy }),
  };
}

function presentProperty(definition: UsedDefinition) {
  const { propertyType } = definition;
  return {
    ...present(definition),
    property_type: propertyType ?? null,
    is_numerical: propertyType === 'Numeric',
  };
}
