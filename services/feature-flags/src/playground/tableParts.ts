import type { FlagSnapshot } from '../client/FlagSnapshot.ts';
import { type Flag, stateOf } from '../model/Flag.ts';
import { neededBy } from './neededBy.ts';
import type { TableColumn, TablePart } from './tabulate.ts';

/** Maximum number of flags in a part. */
const MOST_FLAGS = 50;
/** Maximum number of results of a part, and of values in its rules; a part has one flag at least. */
const MOST_RESULTS = 2_000;
const MOST_VALUES = 10_000;

/**
 * Divides a table into parts, each with as much as the thread gets at once: while a part is copied, the
 * service does not respond.
 */
export function partsOf(
  flags: readonly Flag[],
  options: {
    columns: readonly TableColumn[];
    environments: readonly string[];
    snapshot: Pick<FlagSnapshot, 'find' | 'segments'>;
  },
): Iterable<TablePart> {
  const { columns, environments, snapshot } = options;
  // Read before the first part, so that all of them are of the same moment.
  const { segments } = snapshot;
  const parents = new Map(
    flags
      .flatMap(({ dependencies }) => dependencies)
      .map(({ feature }) => [feature, snapshot.find(feature)]),
  );
  const known = { find: (name: string) => parents.get(name), segments };
  const mostFlags = Math.min(
    MOST_FLAGS,
    Math.max(1, Math.floor(MOST_RESULTS / columns.length)),
  );
  const only = (flag: Flag) => inEnvironments(flag, environments);
  const partOf = (some: readonly Flag[]): TablePart => {
    const { others, segments: used } = neededBy(some, environments, known);
    return {
      flags: some.map(only),
      others: others.map(only),
      segments: used,
      columns,
    };
  };
  return (function* divide() {
    let some: Flag[] = [];
    let values = 0;
    for (const flag of flags) {
      const own = valuesIn(flag, environments);
      const isFull = some.length === mostFlags || values + own > MOST_VALUES;
      if (isFull && some.length > 0) {
        yield partOf(some);
        some = [];
        values = 0;
      }
      some.push(flag);
      values += own;
    }
    if (some.length > 0) {
      yield partOf(some);
    }
  })();
}

/** Leaves out the states of a flag in other environments. */
function inEnvironments(flag: Flag, environments: readonly string[]): Flag {
  return {
    ...flag,
    states: Object.fromEntries(
      environments.map(name => [name, stateOf(flag, name)]),
    ),
  };
}

/** Counts the values in the constraints of a flag. */
function valuesIn(flag: Flag, environments: readonly string[]): number {
  return environments
    .flatMap(environment => stateOf(flag, environment).strategies)
    .flatMap(({ constraints = [] }) => constraints)
    .reduce((sum, { values = [] }) => sum + values.length, 0);
}
