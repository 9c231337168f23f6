import path from 'node:path';
import { chdb, findToolsFolder, ToolInstaller } from '@slipway/managed-tools';
import { LazyProcess } from '../process/LazyProcess.ts';
import { DATABASE } from '../sql/clickhouseTables.ts';
import type { ChdbOptions, ChdbRequest } from './chdbProcess.ts';

/** Timeout of a backup: one of many gigabytes takes minutes. */
export const BACKUP_TIMEOUT_MS = 6 * 3_600_000;
const MEMORY_BYTES = 1024 ** 3;
const IDLE_MS = 60_000;

/** Writes the location of a backup as part of a statement. */
export function backupFile(file: string): string {
  return `File('${file.replace(/[\\']/g, '\\$&')}')`;
}

/**
 * Creates chDB's directory from a backup.
 * @param directory - absolute path; must not exist yet.
 * @throws if chDB is not installed.
 */
export async function restoreColumns(
  directory: string,
  { from }: { from: string },
): Promise<void> {
  const tool = new ToolInstaller({ toolsFolder: findToolsFolder() }).find(chdb);
  if (!tool) {
    throw new Error(
      'The events of the backup are in chDB, which is not installed: run yarn chdb:install',
    );
  }
  const options: ChdbOptions = {
    entryPoint: tool.entryPoint,
    directory,
    backups: path.resolve(from),
    maxThreads: 2,
    memoryBytes: MEMORY_BYTES,
    readers: 1,
  };
  const engine = new LazyProcess<ChdbRequest>({
    script: new URL('./chdbProcess.ts', import.meta.url),
    options,
    idleMs: IDLE_MS,
  });
  try {
    const file = backupFile(path.resolve(from));
    const sql = `RESTORE DATABASE ${DATABASE} FROM ${file}`;
    await engine.ask({ kind: 'statement', sql }, BACKUP_TIMEOUT_MS);
  } finally {
    await engine.close();
  }
}
