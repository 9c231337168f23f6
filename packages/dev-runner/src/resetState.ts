import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { RunRecords } from './runs/RunRecords.ts';

export interface ResetStateOptions {
  /** Absolute path of `.data`. */
  stateDirectory: string;
  say: (text: string) => void;
}

/**
 * Removes everything that the platform keeps in development, unless it runs.
 * Returns the exit code.
 */
export function resetState({ stateDirectory, say }: ResetStateOptions): number {
  const runner = new RunRecords(stateDirectory).runningRunner();
  if (runner) {
    say(
      `the platform runs, as process ${runner.pid}: stop it before you reset its state`,
    );
    return 1;
  }
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
