import type { Flag } from '../model/Flag.ts';
import type { Findings } from '../transfer/Findings.ts';
import type { BundledState, FlagBundle } from '../transfer/FlagBundle.ts';
import type { Inventory } from '../transfer/ImportPlan.ts';
import type { DefinedFlags } from './schemas.ts';

type DefinedFlag = DefinedFlags['flags'][number];
type DefinedState = NonNullable<DefinedFlag['environments']>[string];

/** Reads definitions, with the projects that do not exist yet. */
export function readDefinitions(
  { flags, segments = [] }: DefinedFlags,
  findings: Findings,
): FlagBundle {
  const namesOf = (named: readonly { name: string }[]) =>
    named.map(({ name }) => name);
  findings.errorIfRepeated({ field: 'flags', key: 'name' }, namesOf(flags));
  findings.errorIfRepeated(
    { field: 'segments', key: 'name' },
    namesOf(segments),
  );
  const projects = new Set(
    [...flags, ...segments].flatMap(({ project }) => project ?? []),
  );
  return {
    flags: flags.map(
      ({ name, project, environments = {}, links, ...traits }) => ({
        name,
        ...(project !== undefined && { project }),
        traits: {
          ...traits,
          ...(links && {
            links: links.map((link, index) => ({
              id: `${name}-${index + 1}`,
              ...link,
            })),
          }),
        },
        states: Object.fromEntries(
          Object.entries(environments).map(([environment, state]) => [
            environment,
            readState(state),
          ]),
        ),
      }),
    ),
    segments: segments.map(({ name, description, project, constraints }) => ({
      name,
      description: description ?? '',
      project: project ?? null,
      constraints,
    })),
    contextFields: [],
    environments: [],
    projects: [...projects].map(id => ({
      id,
      name: id,
      description: '',
      owner: null,
    })),
  };
}

function readState({
  enabled,
  strategies,
  variants = [],
}: DefinedState): BundledState {
  return {
    enabled,
    variants,
    strategies: strategies.map(({ parameters = {}, ...strategy }) => ({
      ...strategy,
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([key, value]) => [key, String(value)]),
      ),
    })),
  };
}

/** Exports flags in use as definitions, without default values. */
export function writeDefinitions(
  { flags, segments }: Inventory,
  project: string | undefined,
): DefinedFlags {
  const chosen = flags.filter(
    flag =>
      flag.archivedAt === null &&
      (project === undefined || flag.project === project),
  );
  const names = new Map(segments.map(({ id, name }) => [id, name]));
  const used = new Set(
    chosen.flatMap(({ states }) =>
      Object.values(states).flatMap(({ strategies }) =>
        strategies.flatMap(each => each.segments ?? []),
      ),
    ),
  );
  return {
    version: 1,
    segments: segments
      .filter(({ id }) => project === undefined || used.has(id))
      .map(({ name, description, project: own, constraints }) => ({
        name,
        ...(description !== '' && { description }),
        ...(own !== null && { project: own }),
        constraints,
      })),
    flags: chosen.map(flag => writeFlag(flag, names)),
  };
}

function writeFlag(
  flag: Flag,
  segmentNames: ReadonlyMap<number, string>,
): DefinedFlag {
  const { name, project, type, description, stale, impressionData } = flag;
  const { dependencies, tags, links, states } = flag;
  return {
    name,
    project,
    type,
    description,
    ...(stale && { stale }),
    ...(impressionData && { impressionData }),
    ...(dependencies.length > 0 && { dependencies }),
    ...(tags.length > 0 && { tags }),
    ...(links.length > 0 && {
      links: links.map(({ id: _id, ...link }) => link),
    }),
    environments: Object.fromEntries(
      Object.entries(states).map(([environment, state]) => [
        environment,
        {
          enabled: state.enabled,
          strategies: state.strategies.map(
            ({ id: _id, segments, ...strategy }) => ({
              ...strategy,
              ...(segments && {
                segments: segments.map(
                  segment => segmentNames.get(segment) ?? String(segment),
                ),
              }),
            }),
          ),
          ...(state.variants.length > 0 && { variants: state.variants }),
        },
      ]),
    ),
  };
}
