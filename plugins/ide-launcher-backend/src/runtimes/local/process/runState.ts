import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import {
  WorkspaceEditor,
  WorkspaceIsolation,
} from '@slipway/plugin-ide-launcher-common';
import { z } from 'zod';
import { startTimeOf } from '@slipway/processes';
import { WorkspacePaths } from '../files/WorkspacePaths';

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
  agentSocket: z.string().nullable().default(null),
  isolation: z
    .object({
      kind: z.enum(['bubblewrap', 'pods', 'none']),
      network: z.enum(['own', 'shared']),
      limits: z.object({
        memoryMebibytes: z.number().nullable(),
        processes: z.number().nullable(),
        openFiles: z.number().nullable(),
      }),
      gaps: z.array(z.string()),
    })
    .nullable()
    .default(null),
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
  /** The socket on which the agent of the sandbox listens; null without a sandbox. */
  agentSocket: string | null;
  /** null: it was started by a portal that did not say. */
  isolation: WorkspaceIsolation | null;
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

/** Does nothing where nothing is recorded. */
export async function removeRunState(paths: StatePaths) {
  await rm(paths.runState, { force: true });
}

/** Returns whether the recorded guard is still the process with its pid. */
export async function isGuardAlive(state: RunState): Promise<boolean> {
  return startTimeOf(state.pid) === state.startTime;
}
