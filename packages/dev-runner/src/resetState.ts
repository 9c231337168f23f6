import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { endStaleParts, RunRecords } from './supervision/RunRecords.ts';

/** Options of {@link resetState}. */
export interface ResetStateOptions {
  /** Absolute path of `.data`. */
  stateDirectory: string;
  say: (text: string) => void;
}

/** Milliseconds to stop, which is plenty for a part that lost its runner and was already stopping. */
const STALE_GRACE_MS = 10_000;

/**
 * Deletes the whole development state of the platform, unless the platform is running. Resolves to
 * the exit code.
 */
export async function resetState({
  stateDirectory,
  say,
}: ResetStateOptions): Promise<number> {
  const records = new RunRecords(stateDirectory);
  const runner = records.runningRunner();
  if (runner) {
    say(
      `the platform runs, as process ${runner.pid}: stop it before you reset its state`,
    );
    return 1;
  }
  // Processes left behind by an earlier run would write to the directories again.
  await endStaleParts(records, { graceMs: STALE_GRACE_MS });
  const name = path.basename(stateDirectory);
  const entries = listEntries(stateDirectory);
  for (const entry of entries) {
    rmSync(path.join(stateDirectory, entry), { recursive: true, force: true });
    say(`removed ${name}/${entry}`);
  }
  if (entries.length === 0) {
    say(`nothing to remove: ${name} is empty`);
  }
  return 0;
}

function listEntries(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return [];
    }
    throw error;
  }
}
