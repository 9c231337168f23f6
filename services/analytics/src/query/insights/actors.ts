import { isoOf } from '@slipway/entity-contract';
import { InvalidRequestError } from '@slipway/service-kit';
import type { Person } from '../../people/storage/PersonStore.ts';
import { assertEmpty, fault } from '../faults.ts';
import {
  anyOf,
  call,
  COUNT,
  type Expression,
  field,
  type Select,
  valueOf,
} from '../language/Expression.ts';
import type { InsightContext, Profiles } from '../QueryContext.ts';
import { type Query, type QueryAnswer, queryObject } from '../schemas.ts';
import { PERSON } from './buckets.ts';
import { readPeople } from './readPeople.ts';
import { readActors } from './selectActors.ts';
import type { SelectActors } from './selectedNumber.ts';

const DEFAULT_LIMIT = 100;
/** Maximum people per page: profiles may be large. The list of persons has the same maximum. */
const MAX_LIMIT = 200;
/** Maximum people that a search finds by ids other than those that represent them. */
const MOST_BY_OTHER_ID = 1_000;
/** The properties that a search covers: those that name people. */
const NAMES = ['name', 'username', 'email', '$email'];

/** The fields of an ActorsQuery itself; all others are unsupported. */
const OWN: ReadonlySet<string> = new Set([
  'kind',
  'limit',
  'offset',
  'properties',
  'search',
  'select',
  'source',
] satisfies (keyof Query)[]);
const OTHERS = (Object.keys(queryObject.properties) as (keyof Query)[]).filter(
  name => !OWN.has(name),
);

/** A person behind a number. */
interface Actor {
  readonly id: string;
  /** The person's profile; undefined for people who only have events. */
  readonly profile: Person | undefined;
  /** Number of events; undefined if the source does not count events. */
  readonly events: number | undefined;
}

/** The columns that may be selected, with their types. */
const COLUMNS: Readonly<
  Record<string, { type: string; of: (actor: Actor) => unknown }>
> = {
  actor: { type: 'JSON', of: presentActor },
  person: { type: 'JSON', of: presentActor },
  id: { type: 'String', of: ({ id }) => id },
  created_at: {
    type: "Nullable(DateTime64(3, 'UTC'))",
    of: ({ profile }) => (profile ? isoOf(profile.createdAt) : null),
  },
  event_count: {
    type: 'Nullable(UInt64)',
    of: ({ events = null }) => events,
  },
};

/**
 * Answers an ActorsQuery: returns a page of the people behind a number of an insight, or of
 * the people with some properties; people with the most events come first.
 * @throws InvalidRequestError naming the invalid field.
 */
export async function answerActors(
  query: Query,
  context: InsightContext,
  profiles?: Profiles,
): Promise<QueryAnswer> {
  const { limit = DEFAULT_LIMIT, offset = 0 } = query;
  if (limit > MAX_LIMIT) {
    throw fault('query.limit', `must be ${MAX_LIMIT} at most`, 'maximum');
  }
  const columns = readColumns(query);
  const found = await readFound(query, context, profiles);
  const { rows } = await context.ask(pageOf(found, { limit, offset }));
  const isLast = rows.length <= limit && (rows.length > 0 || offset === 0);
  const total = isLast
    ? offset + rows.length
    : (await context.ask(countOf(found))).rows[0]?.[0];
  const shown = rows.slice(0, limit);
  const known = await profiles?.findAll(
    context.projectId,
    shown.map(([id]) => String(id)),
  );
  const actors = shown.map(([id, events]): Actor => ({
    id: String(id),
    profile: known?.get(String(id)),
    events: events === undefined ? undefined : Number(events),
  }));
  return {
    columns,
    results: actors.map(actor => columns.map(name => COLUMNS[name].of(actor))),
    types: columns.map(name => COLUMNS[name].type),
    hasMore: rows.length > limit,
    limit,
    offset,
    actor_count: Number(total ?? 0),
    missing_actors_count: actors.filter(({ profile }) => !profile).length,
  };
}

/**
 * Returns the ids of all people that an ActorsQuery selects.
 * @param most - maximum number of people.
 * @throws InvalidRequestError naming the invalid field.
 */
export async function listActors(
  query: Query,
  context: InsightContext,
  { profiles, most }: { profiles?: Profiles; most: number },
): Promise<string[]> {
  const found = await readFound(query, context, profiles);
  const page = pageOf(found, { limit: most, offset: 0 });
  const { rows } = await context.ask(page);
  if (rows.length > most) {
    throw fault('query', `selects more than ${most} people`, 'maximum');
  }
  return rows.map(([id]) => String(id));
}

/** Builds the SELECT for the people of an ActorsQuery. */
async function readFound(
  query: Query,
  context: InsightContext,
  profiles: Profiles | undefined,
): Promise<Select> {
  const { source, properties } = query;
  assertEmpty(query, OTHERS);
  if (!source && !properties) {
    throw fault('query.source', 'is required', 'required');
  }
  const search = await readSearch(query, context, profiles);
  if (!source) {
    return readPeople(properties, context)(search);
  }
  assertEmpty(query, ['properties'], {
    instead: { properties: 'properties of the query of the insight' },
  });
  return (await inSource(() => readActors(source, context)))(search);
}

function readColumns({ select = ['actor'] }: Query): string[] {
  const wrong = select.findIndex(name => !Object.hasOwn(COLUMNS, name));
  if (wrong >= 0) {
    throw fault(
      `query.select.${wrong}`,
      `must be one of ${Object.keys(COLUMNS).join(', ')}`,
      'enum',
    );
  }
  // Profiles may be large: 50 columns of them would not fit into memory.
  const again = select.findIndex((name, index) => select.indexOf(name) < index);
  if (again >= 0) {
    throw fault(`query.select.${again}`, 'is there twice', 'uniqueItems');
  }
  return select;
}

/** Runs work, and prefixes the fields in its errors with the source, as in the request. */
async function inSource(
  read: () => Promise<SelectActors>,
): Promise<SelectActors> {
  try {
    return await read();
  } catch (error) {
    const { field: named = '', constraint } =
      error instanceof InvalidRequestError ? error.fault : {};
    if (
      !(error instanceof InvalidRequestError) ||
      !/^query\.(?!source\.)/.test(named)
    ) {
      throw error;
    }
    const path = named.replace('query', 'query.source.source');
    throw new InvalidRequestError(error.message.replace(named, path), {
      field: path,
      constraint,
      cause: error,
    });
  }
}

/** Returns the condition that a person's name or one of their ids contains a text. */
async function readSearch(
  { search }: Query,
  { projectId }: InsightContext,
  profiles: Profiles | undefined,
): Promise<Expression[]> {
  const text = search?.trim();
  if (!text) {
    return [];
  }
  const most = MOST_BY_OTHER_ID;
  const found = await profiles?.withOtherId(projectId, text, most + 1);
  // A short text occurs in many random ids; then it is probably part of a name, not of an id.
  const ids = found && found.length <= most ? found : [];
  const pattern = valueOf(`%${text.replace(/[\\%_]/g, '\\$&')}%`);
  const read: readonly Expression[] = [
    PERSON,
    ...NAMES.map((name): Expression => ({
      kind: 'property',
      path: [name],
      owner: 'person',
      as: 'text',
    })),
  ];
  return [
    anyOf([
      ...read.map(each => call('ilike', [each, pattern], 'boolean')),
      ...(ids.length > 0
        ? [call('in', [PERSON, ...ids.map(id => valueOf(id))], 'boolean')]
        : []),
    ]),
  ];
}

function countOf(actors: Select): Select {
  return {
    kind: 'select',
    from: actors,
    columns: [COUNT],
    where: [],
    groupBy: [],
  };
}

function pageOf(
  actors: Select,
  page: { limit: number; offset: number },
): Select {
  const [, ...counts] = actors.columns;
  const events = counts.map((_, index) => field(index + 1, 'number'));
  return {
    kind: 'select',
    from: actors,
    columns: [field(0, 'text'), ...events],
    where: [],
    orderBy: events.map(expression => ({ expression, descending: true })),
    ...page,
  };
}

/** Formats a person as the person routes do; times are null for people without a profile. */
function presentActor({ id, profile }: Actor): object {
  return {
    id,
    distinct_ids: profile?.distinctIds ?? [id],
    properties: profile?.properties ?? {},
    is_identified: profile?.isIdentified ?? false,
    created_at: profile ? isoOf(profile.createdAt) : null,
    last_seen_at: profile ? isoOf(profile.lastSeenAt) : null,
  };
}
