import { DevfileFault } from '../issue';
import { RawDevfile } from '../schema/devfile';

/** The lists in which a parent's elements and the devfile's own are joined. */
export const MERGED_LISTS = [
  'components',
  'commands',
  'projects',
  'dependentProjects',
  'starterProjects',
] as const;

/** One of {@link MERGED_LISTS}. */
export type MergedList = (typeof MERGED_LISTS)[number];

/** The place at which an element of a merged list was written. */
export interface Origin {
  /** Address of the parent that holds it; null for the devfile itself. */
  source: string | null;
  index: number;
}

/** A devfile with its parents merged in, and where each element came from. */
export interface FlatDevfile {
  /** Without `parent`. */
  devfile: Omit<RawDevfile, 'parent'>;
  origins: Record<MergedList, Origin[]>;
}

/** Origins of a devfile that stands alone. */
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

/** Moves a fault of a merged devfile to where its author wrote the element. */
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
