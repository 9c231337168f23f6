import path from 'node:path';
import type { EventMover } from './EventMover.ts';
import type { EventJournal } from './sqlite/EventJournal.ts';

/** Names of files in the directory of a backup. */
export const BACKUP_FILES = {
  manifest: 'manifest.json',
  journal: 'events.sqlite',
  columns: 'columns',
  database: 'database.sqlite',
} as const;

/**
 * Copies everything acknowledged before the call to a directory, while events keep
 * arriving.
 * @returns whether there are columns to restore.
 * @throws UnavailableError if events are in a column store that cannot be used.
 */
export async function backUpEvents(
  directory: string,
  store: { journal: EventJournal; mover: EventMover },
): Promise<{ hasColumns: boolean }> {
  const { journal, mover } = store;
  const columns = mover.reachable();
  const hasMoved = journal.moves.everBegun();
  const hasColumns = hasMoved && columns?.backUp !== undefined;
  const copy = async () => {
    if (hasColumns) {
      await columns?.backUp?.(path.join(directory, BACKUP_FILES.columns));
    }
    await journal.backUp(path.join(directory, BACKUP_FILES.journal), {
      isShared: hasMoved && !hasColumns,
    });
  };
  // Copy both at the same boundary, so that each event is in exactly one of them.
  await mover.alone(copy);
  return { hasColumns };
}
