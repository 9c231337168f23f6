import { isJsonObject } from '@slipway/service-kit';
import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';

/** The maximum length of an id of a person: databases cannot index longer ones. */
export const LONGEST_PERSON_ID = 400;

/** A change of a person or group that an event carries. */
export type PersonChange =
  /** A person with the event's id exists. */
  | { readonly kind: 'seen' }
  /** The event's id and another id belong to one person, who is now identified. */
  | {
      readonly kind: 'merge';
      readonly from: string;
      /** True to merge even if the other id belongs to a person who is already identified. */
      readonly force: boolean;
    }
  | {
      readonly kind: 'update';
      /**
       * Properties that are set only if they have no value yet; `setOnce`, `set` and
       * `unset` apply in this order.
       */
      readonly setOnce: Readonly<Record<string, unknown>>;
      readonly set: Readonly<Record<string, unknown>>;
      readonly unset: readonly string[];
    }
  | {
      readonly kind: 'group';
      readonly type: string;
      readonly key: string;
      readonly set: Readonly<Record<string, unknown>>;
    };

/** A group exists, perhaps with properties. */
export type GroupChange = Extract<PersonChange, { kind: 'group' }>;

/** The changes of one event. */
export interface ChangesOfEvent {
  readonly projectId: string;
  readonly distinctId: string;
  /** When it happened, milliseconds since the Unix epoch. */
  readonly at: number;
  readonly changes: readonly PersonChange[];
}

/** The properties and names of events that change a person; most events have none of them. */
const HINT = /"\$(?:set|set_once|unset)":|"\$process_person_profile":false/;
const NAMES: ReadonlySet<string> = new Set([
  '$identify',
  '$create_alias',
  '$merge_dangerously',
  '$groupidentify',
]);
/** Events that never describe a person. */
const SILENT: ReadonlySet<string> = new Set(['$exception', '$$heatmap']);

/**
 * The maximum length of names and keys of groups: longer ones are ignored, as databases
 * cannot index them.
 */
export const LONGEST_KEY = 400;

/** Checks whether every database can index an id of a person. */
export function isPersonId(id: string): boolean {
  return id.length <= LONGEST_PERSON_ID && !id.includes('\0');
}

/** Returns the changes of persons and groups that an event carries, by PostHog's rules. */
export function changesOf(event: AnalyticsEvent): PersonChange[] {
  if (!NAMES.has(event.event) && !HINT.test(event.properties)) {
    return [{ kind: 'seen' }];
  }
  const properties: Record<string, unknown> = JSON.parse(event.properties);
  if (event.event === '$groupidentify') {
    return groupOf(properties);
  }
  const merges = mergesOf(event, properties);
  if (merges.length === 0 && properties.$process_person_profile === false) {
    return [];
  }
  const { $set, $set_once: $setOnce, $unset } = properties;
  const update: PersonChange = {
    kind: 'update',
    setOnce: isJsonObject($setOnce) ? $setOnce : {},
    set: isJsonObject($set) ? $set : {},
    unset: namesOf($unset),
  };
  return [
    { kind: 'seen' },
    ...merges,
    ...(SILENT.has(event.event) ? [] : [update]),
  ];
}

function mergesOf(
  { event, distinctId }: AnalyticsEvent,
  properties: Record<string, unknown>,
): PersonChange[] {
  const from =
    event === '$identify' ? properties.$anon_distinct_id : properties.alias;
  const merges =
    event === '$identify' ||
    event === '$create_alias' ||
    event === '$merge_dangerously';
  if (!merges || !isPersonal(distinctId)) {
    return [];
  }
  const other =
    typeof from === 'string' && isPersonal(from) && isPersonId(from)
      ? from
      : distinctId;
  return [
    { kind: 'merge', from: other, force: event === '$merge_dangerously' },
  ];
}

function groupOf(properties: Record<string, unknown>): PersonChange[] {
  const { $group_type: type, $group_key: key, $group_set: set } = properties;
  return isName(type) && isKey(key)
    ? [
        {
          kind: 'group',
          type,
          key: String(key),
          set: isJsonObject(set) ? set : {},
        },
      ]
    : [];
}

function isKey(key: unknown): key is string | number {
  return isName(key) || typeof key === 'number';
}

/** Checks whether a value is a text that every database can index. */
function isName(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= LONGEST_KEY &&
    !value.includes('\0')
  );
}

const GROUPS = '"$groups":';

/**
 * Returns the part of an event's properties that names its groups, without parsing all
 * properties: most events of one group have the same text. Undefined if it has no groups.
 */
export function groupsText({ properties }: AnalyticsEvent): string | undefined {
  const at = properties.indexOf(GROUPS);
  const end = at < 0 ? -1 : properties.indexOf('}', at);
  return end < 0 ? undefined : properties.slice(at + GROUPS.length, end + 1);
}

/** Reads the groups of an event from its property `$groups`. */
export function groupsOf(groups: unknown): GroupChange[] {
  return Object.entries(isJsonObject(groups) ? groups : {}).flatMap(
    ([type, key]) =>
      isName(type) && isKey(key)
        ? [{ kind: 'group' as const, type, key: String(key), set: {} }]
        : [],
  );
}

function namesOf(value: unknown): string[] {
  if (Array.isArray(value)) {
    return value.filter(each => typeof each === 'string');
  }
  return isJsonObject(value) ? Object.keys(value) : [];
}

/** Ids that programs send for an unknown user, in any case and possibly in quotes. */
const NOBODY_CASELESS: ReadonlySet<string> = new Set([
  'anonymous',
  'guest',
  'distinctid',
  'distinct_id',
  'id',
  'not_authenticated',
  'email',
  'undefined',
  'true',
  'false',
]);
const NOBODY: ReadonlySet<string> = new Set([
  '[object Object]',
  'NaN',
  'None',
  'none',
  'null',
  '0',
]);

/**
 * Checks whether an id can belong to a single person; other ids would merge everyone into
 * one person.
 */
function isPersonal(id: string): boolean {
  const bare = id.trim().replace(/^(['"])(.*)\1$/, '$2');
  return (
    bare.trim() !== '' &&
    !NOBODY.has(bare) &&
    !NOBODY_CASELESS.has(bare.toLowerCase())
  );
}
