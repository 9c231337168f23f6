import { type Flag, type Segment, stateOf } from '../model/Flag.ts';

/** The flags and segments of the service. */
interface Known {
  find(name: string): Flag | undefined;
  readonly segments: ReadonlyMap<number, Segment>;
}

/** Returns the parents of some flags, and the segments that they and the flags use. */
export function neededBy(
  flags: readonly Flag[],
  environments: readonly string[],
  known: Known,
): { others: Flag[]; segments: Segment[] } {
  const parents = new Set(
    flags.flatMap(({ dependencies }) =>
      dependencies.map(({ feature }) => feature),
    ),
  );
  const others = [...parents].flatMap(name => known.find(name) ?? []);
  const ids = new Set(
    [...flags, ...others].flatMap(flag =>
      environments.flatMap(environment =>
        stateOf(flag, environment).strategies.flatMap(
          ({ segments = [] }) => segments,
        ),
      ),
    ),
  );
  return {
    others,
    segments: [...ids].flatMap(id => known.segments.get(id) ?? []),
  };
}
