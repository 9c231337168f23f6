import { DevfileFault, inParent, quote } from './issue';
import { validateDevfile } from './parseDevfile';
import { RawDevfile, RawParent } from './schema/devfile';

/** The lists in which elements of the parent and of the devfile are combined. */
export const MERGED_LISTS = [
  'components',
  'commands',
  'projects',
  'dependentProjects',
  'starterProjects',
] as const;

/** One of {@link MERGED_LISTS}. */
type MergedList = (typeof MERGED_LISTS)[number];

/** The file in which an element of a merged list was defined. */
interface Origin {
  /** Address of the parent that defines it; null for the devfile itself. */
  source: string | null;
  index: number;
}

/** A devfile with its parents merged, and the origin of each element. */
export interface FlatDevfile {
  /** Without `parent`. */
  devfile: Omit<RawDevfile, 'parent'>;
  origins: Record<MergedList, Origin[]>;
}

/** Returns an object with a value for each merged list. */
function eachList<T>(valueOf: (list: MergedList) => T) {
  return Object.fromEntries(
    MERGED_LISTS.map(list => [list, valueOf(list)]),
  ) as Record<MergedList, T>;
}

/** Returns the origins of a devfile without a parent. */
export function ownOrigins(
  devfile: RawDevfile,
  source: string | null,
): FlatDevfile['origins'] {
  return eachList(list =>
    (devfile[list] ?? []).map((_, index) => ({ source, index })),
  );
}

/** Maps a fault of a merged devfile to the file and position where the element was defined. */
export function locateFault(
  { origins }: FlatDevfile,
  fault: DevfileFault,
): DevfileFault {
  const [list, index, ...rest] = fault.path;
  const name = MERGED_LISTS.find(candidate => candidate === list);
  const origin =
    name && typeof index === 'number' ? origins[name][index] : undefined;
  if (!name || !origin) {
    return fault;
  }
  return {
    ...fault,
    path: [name, origin.index, ...rest],
    source: origin.source ?? undefined,
  };
}

type Events = NonNullable<RawDevfile['events']>;

/** Returns the field that identifies the elements of a list. */
export function keyOf(list: MergedList): 'id' | 'name' {
  return list === 'commands' ? 'id' : 'name';
}

/** Returns the names or ids of the elements of a list. */
export function keysOf(
  devfile: FlatDevfile['devfile'],
  list: MergedList,
): string[] {
  return list === 'commands'
    ? (devfile.commands ?? []).map(({ id }) => id)
    : (devfile[list] ?? []).map(({ name }) => name);
}

/** Finds elements and variables of a devfile that its parent also defines. */
function* findConflicts(
  parent: FlatDevfile['devfile'],
  child: RawDevfile,
): Iterable<DevfileFault> {
  const advice =
    'is already in the parent; to change it, write it under parent';
  for (const list of MERGED_LISTS) {
    const taken = new Set(keysOf(parent, list));
    for (const [index, key] of keysOf(child, list).entries()) {
      if (taken.has(key)) {
        const message = `${quote(key)} ${advice}.${list}`;
        yield { path: [list, index, keyOf(list)], message };
      }
    }
  }
  for (const name of Object.keys(child.variables ?? {})) {
    if (Object.hasOwn(parent.variables ?? {}, name)) {
      yield { path: ['variables', name], message: `${advice}.variables` };
    }
  }
}

function mergeEvents(parent: Events = {}, child: Events = {}): Events {
  const join = (event: keyof Events) =>
    Array.from(new Set([...(parent[event] ?? []), ...(child[event] ?? [])]));
  return {
    preStart: join('preStart'),
    postStart: join('postStart'),
    preStop: join('preStop'),
    postStop: join('postStop'),
  };
}

/** A mapping as parsed from YAML. */
type Mapping = Record<string, unknown>;

/** Mutually exclusive fields of an object: setting one replaces another. */
const EXCLUSIVE_FIELDS: readonly (readonly string[])[] = [
  ['container', 'kubernetes', 'openshift', 'volume', 'image'],
  ['exec', 'apply', 'composite'],
  ['git', 'zip'],
  ['uri', 'inlined'],
  ['uri', 'devfileRegistry', 'git'],
];

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasName(value: unknown): value is Mapping & { name: string } {
  return isMapping(value) && typeof value.name === 'string';
}

function mergeLists(base: unknown[], patch: unknown[]): unknown[] {
  if (!base.every(hasName) || !patch.every(hasName)) {
    return patch;
  }
  const names = new Set(base.map(({ name }) => name));
  const overrides = new Map<string, Mapping>();
  for (const override of patch) {
    // If several have the same name, the first counts.
    if (!overrides.has(override.name)) {
      overrides.set(override.name, override);
    }
  }
  return [
    ...base.map(item => {
      const override = overrides.get(item.name);
      return override ? mergeMappings(item, override) : item;
    }),
    ...patch.filter(({ name }) => !names.has(name)),
  ];
}

function mergeValues(base: unknown, patch: unknown): unknown {
  if (isMapping(base) && isMapping(patch)) {
    return mergeMappings(base, patch);
  }
  if (Array.isArray(base) && Array.isArray(patch)) {
    return mergeLists(base, patch);
  }
  return patch;
}

/**
 * Applies an override to an element of a parent. Follows the rules of Kubernetes' strategic
 * merge patch that devfiles use: mappings are merged, lists of named elements are merged by
 * name, everything else is replaced.
 */
export function mergeMappings(base: Mapping, patch: Mapping): Mapping {
  const replaced = EXCLUSIVE_FIELDS.filter(fields =>
    fields.some(field => field in patch),
  ).flatMap(fields => fields.filter(field => !(field in patch)));
  const kept = Object.entries(base).filter(([key]) => !replaced.includes(key));
  const result: Mapping = Object.fromEntries(kept);
  for (const [key, value] of Object.entries(patch)) {
    result[key] = key in result ? mergeValues(result[key], value) : value;
  }
  return result;
}

/**
 * Applies the overrides in a devfile's `parent`. Overrides change existing elements of the
 * parent; new elements belong in the devfile itself.
 *
 * @param parent - The parent, with its own parents merged.
 * @param overrides - The `parent` section of the child.
 * @param source - The parent's address as shown in messages.
 */
function applyOverrides(
  parent: FlatDevfile,
  overrides: RawParent,
  source: string,
): { parent: FlatDevfile; faults: DevfileFault[] } {
  const faults: DevfileFault[] = [];
  const merged: Mapping = { ...parent.devfile };
  for (const list of MERGED_LISTS) {
    const key = keyOf(list);
    const items: Mapping[] = [...(parent.devfile[list] ?? [])];
    overrides[list]?.forEach((override: Mapping, index) => {
      const target = items.findIndex(item => item[key] === override[key]);
      if (target < 0) {
        faults.push({
          path: ['parent', list, index, key],
          message: `${quote(
            String(override[key]),
          )} is not in the parent; new elements belong under ${list}`,
        });
      } else {
        items[target] = mergeMappings(items[target], override);
      }
    });
    if (items.length > 0) {
      merged[list] = items;
    }
  }
  for (const name of Object.keys(overrides.variables ?? {})) {
    if (!Object.hasOwn(parent.devfile.variables ?? {}, name)) {
      faults.push({
        path: ['parent', 'variables', name],
        message: 'is not in the parent; new variables belong under variables',
      });
    }
  }
  for (const field of ['variables', 'attributes'] as const) {
    if (overrides[field]) {
      merged[field] = { ...parent.devfile[field], ...overrides[field] };
    }
  }
  // After an override, an element may lack fields that its new form requires.
  const checked = validateDevfile(merged);
  if (checked.ok) {
    return { parent: { ...parent, devfile: checked.devfile }, faults };
  }
  const located = checked.faults.map(fault => locateFault(parent, fault));
  return { parent, faults: [...faults, ...inParent(source, located)] };
}

/**
 * Merges a devfile with its parent: the parent's elements with the devfile's overrides first, then
 * the devfile's own. Identity (`schemaVersion`, `metadata`) comes from the devfile.
 *
 * @param above - The parent, with its own parents merged.
 * @param child - The devfile that references it.
 * @param sources - The addresses in messages: the parent's, and the devfile's if it is itself a
 * parent, otherwise null.
 */
export function mergeParent(
  above: FlatDevfile,
  child: RawDevfile & { parent: RawParent },
  sources: { parent: string; child: string | null },
): { flat: FlatDevfile; faults: DevfileFault[] } {
  const { parent: overrides, ...own } = child;
  const { parent, faults } = applyOverrides(above, overrides, sources.parent);
  const childOrigins = ownOrigins(child, sources.child);
  const join = <T>(first: T[] = [], second: T[] = []) => [...first, ...second];
  const base = parent.devfile;
  return {
    faults: [...faults, ...findConflicts(base, child)],
    flat: {
      devfile: {
        ...own,
        attributes: { ...base.attributes, ...own.attributes },
        variables: { ...base.variables, ...own.variables },
        components: join(base.components, own.components),
        commands: join(base.commands, own.commands),
        projects: join(base.projects, own.projects),
        dependentProjects: join(base.dependentProjects, own.dependentProjects),
        starterProjects: join(base.starterProjects, own.starterProjects),
        events: mergeEvents(base.events, own.events),
      },
      origins: eachList(list => [
        ...parent.origins[list],
        ...childOrigins[list],
      ]),
    },
  };
}
