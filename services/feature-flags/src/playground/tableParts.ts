import type { FlagSnapshot } from '../client/FlagSnapshot.ts';
import type { Flag } from '../model/Flag.ts';
import { neededBy } from './neededBy.ts';
import { PartDraft } from './PartDraft.ts';
import type { TableColumn, TablePart } from './tabulate.ts';

/** Maximum number of flags in a part. */
const MOST_FLAGS = 50;
/** Maximum number of results of a part, unless it has only one flag. */
const MOST_RESULTS = 2_000;

/**
 * Splits a table into parts that are small enough to be copied to the thread: the service cannot respond
 * while it copies one.
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
  // Read before the first part, so that all parts reflect the same moment.
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
  return (function* divide() {
    let part = new PartDraft(environments);
    for (const flag of flags) {
      const needed = neededBy([flag], environments, known);
      if (part.size === mostFlags || !part.hasRoom(flag, needed)) {
        yield part.finish(columns);
        part = new PartDraft(environments);
      }
      part.add(flag, needed);
    }
    if (part.size > 0) {
      yield part.finish(columns);
    }
  })();
}
