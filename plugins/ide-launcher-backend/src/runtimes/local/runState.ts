import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { WorkspaceEditor } from '@slipway/plugin-ide-launcher-common';
import { z } from 'zod';
import { processStartTime } from './processTable';
import { WorkspacePaths } from './WorkspacePaths';

const runStateSchema = z.object({
  pid: z.number().int().positive(),
  startTime: z.string(),
  socket: z.string(),
  healthPath: z.string(),
  editor: z.object({
    id: z.string(),
    title: z.string(),
    version: z.string().nullable(),
  }),
}) satisfies z.ZodType<RunState>;

/** What a portal leaves on disk for the next one to find a running editor. */
export interface RunState {
  /** The guard: leader of the editor's process group. */
  pid: number;
  /** Tells the guard from a later process of the same pid. */
  startTime: string;
  socket: string;
  healthPath: string;
  editor: WorkspaceEditor;
}

type StatePaths = Pick<WorkspacePaths, 'runState'>;

/** The recorded state; null when nothing is recorded or it cannot be read. */
export async function readRunState(
  paths: StatePaths,
): Promise<RunState | null> {
  try {
    return runStateSchema.parse(
      JSON.parse(await readFile(paths.runState, 'utf8')),
    );
  } catch {
    return null;
  }
}

/** Records the state; the file is never half-written. */
export async function writeRunState(paths: StatePaths, state: RunState) {
  const draft = `${paths.runState}.new`;
  await writeFile(draft, JSON.stringify(state), { mode: 0o600 });
  await rename(draft, paths.runState);
}

export async function removeRunState(paths: StatePaths) {
  await rm(paths.runState, { force: true });
}

/** Whether the recorded guard is still the process with its pid. */
export async function isGuardAlive(state: RunState): Promise<boolean> {
  return (await processStartTime(state.pid)) === state.startTime;
}
