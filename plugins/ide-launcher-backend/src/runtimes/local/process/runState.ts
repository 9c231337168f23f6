import { readFile, rm } from 'node:fs/promises';
import {
  WorkspaceEditor,
  WorkspaceIsolation,
} from '@slipway/plugin-ide-launcher-common';
import { z } from 'zod';
import { startTimeOf } from '@slipway/processes';
import { writeOwnFile } from '../files/ownFiles';
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

/** State on disk with which the next portal finds a running editor. */
export interface RunState {
  /** The guard, which leads the editor's process group. */
  pid: number;
  /** Distinguishes the guard from a later process with the same pid. */
  startTime: string;
  socket: string;
  healthPath: string;
  editor: WorkspaceEditor;
  /** The socket of the sandbox's agent; null without a sandbox. */
  agentSocket: string | null;
  /** null: unknown, because an older portal did not record it. */
  isolation: WorkspaceIsolation | null;
}

type StatePaths = Pick<WorkspacePaths, 'runState'>;

/** Reads the recorded state; null if it is missing or unreadable. */
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

/** Records the state, atomically. */
export async function writeRunState(paths: StatePaths, state: RunState) {
  await writeOwnFile(paths.runState, JSON.stringify(state));
}

/** Removes the state if it exists. */
export async function removeRunState(paths: StatePaths) {
  await rm(paths.runState, { force: true });
}

/** Returns whether the recorded guard is still the process with its pid. */
export async function isGuardAlive(state: RunState): Promise<boolean> {
  return startTimeOf(state.pid) === state.startTime;
}
