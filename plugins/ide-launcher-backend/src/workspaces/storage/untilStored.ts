import { setTimeout as delay } from 'node:timers/promises';
import { LoggerService } from '@backstage/backend-plugin-api';
import { stringifyError } from '@backstage/errors';
import { WorkspaceStatus } from '@slipway/plugin-ide-launcher-common';
import { Workspace, WorkspaceChange } from '../Workspace';
import { WorkspaceStore } from './WorkspaceStore';

/** The pauses between attempts to use the database: each is twice as long as the one before, up to a limit. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 15_000;

/**
 * Reads or writes a record until the database does not fail: what has happened in the runtime cannot be
 * taken back, and nobody else would record it.
 *
 * @throws the last error once `signal` aborts; at once what fails each time.
 */
export async function untilStored<T>(
  logger: LoggerService,
  signal: AbortSignal,
  access: () => Promise<T>,
): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    try {
      return await access();
    } catch (error) {
      if (signal.aborted || isRefused(error)) {
        throw error;
      }
      logger.warn(
        `A workspace could not be recorded, trying again: ${stringifyError(error)}`,
      );
    }
    await delay(Math.min(pauseMs, MAX_PAUSE_MS), undefined, {
      ref: false,
      signal,
    }).catch(() => undefined);
  }
}

/** Codes of PostgreSQL for invalid data, violated constraints and wrong statements; SQLite's for the same. */
const REFUSALS =
  /^(?:2[23]\w{3}|42\w{3}|SQLITE_(?:CONSTRAINT\w*|ERROR|MISMATCH|RANGE|TOOBIG))$/;

/** Returns whether a statement would fail again: the database refused it, or the code itself failed. */
export function isRefused(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return (
    error instanceof TypeError ||
    (typeof code === 'string' && REFUSALS.test(code))
  );
}

/** The end of a start or a run. */
export type Outcome = WorkspaceChange &
  Pick<Workspace, 'status' | 'failed' | 'statusMessage'>;

/**
 * Records an outcome, in one of several attempts, if the workspace still has one of these states.
 *
 * @returns false if it does not, unless this outcome is recorded: the database's answer to an earlier
 * attempt was lost, or another replica has observed it in the cluster. A stop is another outcome, with
 * another message.
 */
export async function moveOnce(
  store: WorkspaceStore,
  { id, from }: { id: string; from: WorkspaceStatus[] },
  outcome: Outcome,
): Promise<boolean> {
  if (await store.transition(id, from, outcome)) {
    return true;
  }
  const found = await store.get(id);
  return (
    found?.status === outcome.status &&
    found.failed === outcome.failed &&
    found.statusMessage === outcome.statusMessage
  );
}
