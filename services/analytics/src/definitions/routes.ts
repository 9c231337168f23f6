import type { Access, ServiceApp } from '@slipway/service-kit';
import type { Static } from 'typebox';
import { ProjectPath } from '../projects/schemas.ts';
import type { DefinitionNotes, DefinitionQuery } from './Definition.ts';
import {
  type Definitions,
  kindOfProperty,
  type UsedDefinition,
} from './Definitions.ts';
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
  options: { definitions: Definitions; users: Access; readers: Access },
): void {
  const { definitions, users, readers } = options;
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
      const url = events.replace(
        ':projectId',
        encodeURIComponent(params.projectId),
      );
      return {
        ...pagesOf(url, query, found.count),
        results: found.definitions.map(present),
      };
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
        kind: kindOfProperty(query.type),
      });
      const url = properties.replace(
        ':projectId',
        encodeURIComponent(params.projectId),
      );
      return {
        ...pagesOf(url, query, found.count),
        results: found.definitions.map(presentProperty),
      };
    },
  );
  app.patch(
    `${events}/:id`,
    {
      config: { access: users },
      schema: {
        tags,
        summary: 'Change what is noted about an event',
        params: DefinitionPath,
        body: ChangedDefinition,
        response: { 200: EventDefinition },
      },
    },
    async ({ params, body, caller }) =>
      present(
        await definitions.change(
          caller,
          { ...params, isEvent: true },
          notesOf(body),
        ),
      ),
  );
  app.patch(
    `${properties}/:id`,
    {
      config: { access: users },
      schema: {
        tags,
        summary: 'Change what is noted about a property',
        params: DefinitionPath,
        body: ChangedDefinition,
        response: { 200: PropertyDefinition },
      },
    },
    async ({ params, body, caller }) =>
      presentProperty(
        await definitions.change(
          caller,
          { ...params, isEvent: false },
          notesOf(body),
        ),
      ),
  );
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

function pagesOf(
  url: string,
  query: Static<typeof EventsQuery>,
  count: number,
) {
  const { limit, offset } = query;
  const at = (start: number) =>
    `${url}?${new URLSearchParams(
      Object.entries({ ...query, offset: start }).map(([name, value]) => [
        name,
        String(value),
      ]),
    )}`;
  return {
    count,
    next: offset + limit < count ? at(offset + limit) : null,
    previous: offset > 0 ? at(Math.max(0, offset - limit)) : null,
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
    created_at: new Date(definition.firstSeenAt).toISOString(),
    last_seen_at: new Date(definition.lastSeenAt).toISOString(),
    volume_30_day: volume,
    used_by_insights: uses,
    ...(changedAt !== undefined && {
      updated_at: new Date(changedAt).toISOString(),
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
