// The processes that read journals start often, so this file imports only what they need.
import { isJsonObject } from '@slipway/service-kit/isJsonObject';
import {
  DAY_MS,
  type DefinitionKind,
  type Observed,
  type PropertyType,
} from './Definition.ts';

/** Longer names are not recorded: databases cannot index them. */
const LONGEST_NAME = 400;
/** Properties that SDKs add for the service's own use, which are not worth analysing. */
const NOT_PROPERTIES: ReadonlySet<string> = new Set([
  '$set',
  '$set_once',
  '$unset',
  '$groups',
  '$group_set',
]);
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}|$)/;

/** How often a name occurs among the events of a day. Times are milliseconds since the Unix epoch. */
export interface Seen {
  readonly projectId: string;
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly propertyType?: PropertyType;
  /** Days since the Unix epoch. */
  readonly day: number;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** An event whose properties are read. */
export interface SampledEvent {
  readonly projectId: string;
  readonly timestamp: number;
  /** JSON. */
  readonly properties: string;
  /** Number of events that it represents. */
  readonly weight: number;
}

/** Returns the properties of an event, and the properties that it sets on its person. */
export function propertiesOf(event: SampledEvent): Seen[] {
  const { projectId, timestamp, weight } = event;
  const properties: unknown = JSON.parse(event.properties);
  if (!isJsonObject(properties)) {
    return [];
  }
  const common = {
    projectId,
    day: Math.floor(timestamp / DAY_MS),
    count: weight,
    firstAt: timestamp,
    lastAt: timestamp,
  };
  const read = (kind: DefinitionKind, values: unknown): Seen[] =>
    isJsonObject(values)
      ? Object.entries(values)
          .filter(([name]) => !NOT_PROPERTIES.has(name))
          .map(([name, value]) => ({
            ...common,
            kind,
            name,
            propertyType: typeOf(value),
          }))
      : [];
  const person = new Map(
    [properties.$set_once, properties.$set]
      .flatMap(values => read('person_property', values))
      .map(each => [each.name, each]),
  );
  return [...read('event_property', properties), ...person.values()];
}

/** Returns the type of a value; undefined if it has no type that filters support. */
function typeOf(value: unknown): PropertyType | undefined {
  switch (typeof value) {
    case 'boolean':
      return 'Boolean';
    case 'number':
      return 'Numeric';
    case 'string':
      return DATE.test(value) ? 'DateTime' : 'String';
    default:
      return undefined;
  }
}

/** Returns the common type of two types; values of mixed types are compared as strings. */
function commonType(
  one: PropertyType | undefined,
  other: PropertyType | undefined,
): PropertyType | undefined {
  if (one === undefined || other === undefined) {
    return one ?? other;
  }
  return one === other ? one : 'String';
}

/** Adds up observations by name. */
export function observe(seen: Iterable<Seen>): Observed[] {
  const byName = new Map<string, Observed & { days: Map<number, number> }>();
  for (const each of seen) {
    const { projectId, kind, name, propertyType, day, count, firstAt, lastAt } =
      each;
    if (name === '' || name.length > LONGEST_NAME || name.includes('\0')) {
      continue;
    }
    const key = JSON.stringify([projectId, kind, name]);
    const known = byName.get(key);
    const days = known?.days ?? new Map<number, number>();
    days.set(day, (days.get(day) ?? 0) + count);
    byName.set(key, {
      projectId,
      kind,
      name,
      propertyType: known
        ? commonType(known.propertyType, propertyType)
        : propertyType,
      firstSeenAt: Math.min(known?.firstSeenAt ?? firstAt, firstAt),
      lastSeenAt: Math.max(known?.lastSeenAt ?? lastAt, lastAt),
      days,
    });
  }
  return [...byName.values()];
}
