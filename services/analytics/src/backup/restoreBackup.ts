import { constants } from 'node:fs';
import { access, copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { restoreColumns } from '../store/chdb/restoreColumns.ts';
import { BACKUP_FILES } from '../store/backUpEvents.ts';
import { readManifest } from './Backups.ts';

/**
 * Restores a backup into new directories, from which the service can be started.
 * @param options.directory - for `events.directory`; must be empty, and is created if
 *   missing.
 * @param options.database - the file for the SQLite database, which must not exist.
 * @throws if the targets already contain files, or if chDB is needed but not installed.
 */
export async function restoreBackup(
  backup: string,
  options: { directory: string; database: string | undefined },
): Promise<void> {
  const manifest = await readManifest(backup);
  const { directory, database } = options;
  const found = await readdir(directory).catch(() => []);
  if (found.length > 0) {
    throw new Error(`${directory} is not empty: name a new directory`);
  }
  if (manifest.hasDatabase && database === undefined) {
    throw new Error(
      'The backup holds the database of the service: name its new file with --database',
    );
  }
  if (database !== undefined && (await exists(database))) {
    throw new Error(`${database} exists already: name a new file`);
  }
  const partial = `${directory}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await copyFile(
    path.join(backup, BACKUP_FILES.journal),
    path.join(partial, BACKUP_FILES.journal),
  );
  if (manifest.hasColumns) {
    await restoreColumns(path.join(partial, 'chdb'), {
      from: path.join(backup, BACKUP_FILES.columns),
    });
  }
  if (manifest.hasDatabase && database !== undefined) {
    await mkdir(path.dirname(database), { recursive: true });
    await copyFile(
      path.join(backup, BACKUP_FILES.database),
      database,
      constants.COPYFILE_EXCL,
    );
  }
  await rm(directory, { recursive: true, force: true });
  await rename(partial, directory);
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
