import { DevfileFault, quote } from '../issue';
import { RawDevfile } from '../schema/devfile';
import { FlatDevfile, MERGED_LISTS, MergedList, ownOrigins } from './origins';

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
 * Joins a devfile with its parent: the parent's elements first, then the
 * devfile's own. Identity (`schemaVersion`, `metadata`) is the devfile's.
 *
 * @param parent - The parent, with overrides applied.
 * @param child - The devfile that names it.
 * @param childSource - Address of the devfile when it is a parent itself; else null.
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
