import { DevfileFault, quote } from '../issue';
import { RawDevfile } from '../schema/devfile';

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

/** Returns the origins of a devfile without a parent. */
export function ownOrigins(
  devfile: RawDevfile,
  source: string | null,
): FlatDevfile['origins'] {
  const originsOf = (list: MergedList) =>
    (devfile[list] ?? []).map((_, index) => ({ source, index }));
  return {
    components: originsOf('components'),
    commands: originsOf('commands'),
    projects: originsOf('projects'),
    dependentProjects: originsOf('dependentProjects'),
    starterProjects: originsOf('starterProjects'),
  };
}

/** Maps a fault of a merged devfile to where the element was defined. */
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

function keysOf(devfile: FlatDevfile['devfile'], list: MergedList): string[] {
  return list === 'commands'
    ? (devfile.commands ?? []).map(({ id }) => id)
    : (devfile[list] ?? []).map(({ name }) => name);
}

function findConflicts(
  parent: FlatDevfile['devfile'],
  child: RawDevfile,
): DevfileFault[] {
  const inLists = MERGED_LISTS.flatMap(list => {
    const taken = new Set(keysOf(parent, list));
    return keysOf(child, list).flatMap((key, index) =>
      taken.has(key)
        ? [
            {
              path: [list, index, list === 'commands' ? 'id' : 'name'],
              message: `${quote(
                key,
              )} is already in the parent; to change it, write it under parent.${list}`,
            },
          ]
        : [],
    );
  });
  const inVariables = Object.keys(child.variables ?? {})
    .filter(name => Object.hasOwn(parent.variables ?? {}, name))
    .map(name => ({
      path: ['variables', name],
      message:
        'is already in the parent; to change it, write it under parent.variables',
    }));
  return [...inLists, ...inVariables];
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

/**
 * Merges a devfile with its parent: the parent's elements first, then the devfile's own.
 * Identity (`schemaVersion`, `metadata`) comes from the devfile.
 *
 * @param parent - The parent, with overrides applied.
 * @param child - The devfile that references it.
 * @param childSource - Address of the devfile if it is itself a parent; otherwise null.
 */
export function mergeParent(
  parent: FlatDevfile,
  child: RawDevfile,
  childSource: string | null,
): { flat: FlatDevfile; faults: DevfileFault[] } {
  const { parent: _reference, ...own } = child;
  const childOrigins = ownOrigins(child, childSource);
  const join = <T>(first: T[] = [], second: T[] = []) => [...first, ...second];
  const base = parent.devfile;
  return {
    faults: findConflicts(base, child),
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
      origins: {
        components: join(parent.origins.components, childOrigins.components),
        commands: join(parent.origins.commands, childOrigins.commands),
        projects: join(parent.origins.projects, childOrigins.projects),
        dependentProjects: join(
          parent.origins.dependentProjects,
          childOrigins.dependentProjects,
        ),
        starterProjects: join(
          parent.origins.starterProjects,
          childOrigins.starterProjects,
        ),
      },
    },
  };
}
