import { setTimeout as delay } from 'node:timers/promises';
import { getSystemErrorMap } from 'node:util';
import { AuthService, LoggerService } from '@backstage/backend-plugin-api';
import { stringifyError } from '@backstage/errors';
import type { CatalogService } from '@backstage/plugin-catalog-node';
import { WorkspaceStatus } from '@slipway/plugin-ide-launcher-common';
import {
  CommitAuthor,
  IdeTarget,
  StartFailedError,
  WorkspaceRuntime,
} from '../runtimes/WorkspaceRuntime';
import { StartRecorders } from './StartRecorder';
import { untilStored } from './storage/untilStored';
import { WorkspaceStore } from './storage/WorkspaceStore';
import { Workspace, WorkspaceChange } from './Workspace';
import { WorkspaceEvents } from './WorkspaceEvents';

/** Maximum time that a start waits for the catalog. */
const LOOKUP_TIMEOUT_MS = 3_000;

/** Dependencies of the life cycle's actions. */
export interface LifecycleParts {
  store: WorkspaceStore;
  runtime: WorkspaceRuntime;
  events: WorkspaceEvents;
  /** Access to a workspace's IDE, open while it runs. */
  gateway: {
    open(workspaceId: string, target: IdeTarget): void;
    /** Revokes all tickets and sessions and closes all connections. */
    close(workspaceId: string): Promise<void>;
  };
  recorders: StartRecorders;
  /** Returns the author of an owner's commits; null if unknown. Never rejects. */
  authorOf?(owner: string): Promise<CommitAuthor | null>;
  logger: LoggerService;
  now(): Date;
}

/**
 * Starts the IDE of a workspace in state Starting, and records the result.
 *
 * @param options.onAnswered - called when the IDE has responded, before this is recorded.
 * @returns the new status; undefined if a stop, a deletion or a shutdown determines it.
 */
export async function runStart(
  parts: LifecycleParts,
  workspace: Workspace,
  options: { signal: AbortSignal; onAnswered(): void },
): Promise<WorkspaceStatus | undefined> {
  const { events, gateway, logger, now, recorders, runtime, store } = parts;
  const { signal } = options;
  const { id } = workspace;
  const begun = now().getTime();
  const recorder = await recorders.open(workspace);
  let change: Outcome;
  try {
    const current = await untilStored(logger, signal, () =>
      readAgain(store, workspace),
    );
    const author = await parts.authorOf?.(workspace.owner);
    signal.throwIfAborted();
    const { editor, target } = await runtime.start(
      { ...current, author },
      recorder,
      signal,
    );
    options.onAnswered();
    gateway.open(id, target);
    const at = now().toISOString();
    change = {
      status: 'Running',
      editor,
      failed: false,
      statusMessage: null,
      startedAt: at,
      lastUsedAt: at,
    };
  } catch (error) {
    if (signal.aborted) {
      // The aborting action sets the workspace's state. On shutdown it stays Starting, and the
      // next process starts it again.
      await recorder.flush();
      return undefined;
    }
    logger.info(`${id} did not start: ${stringifyError(error)}`);
    change = failureOf(error);
    recorder.fail(change.statusMessage ?? '');
  }
  await recorder.flush();
  const isRecorded = await untilStored(logger, signal, () =>
    moveOnce(store, { id, from: ['Starting'] }, change),
  );
  if (!isRecorded) {
    await undoStart(parts, id);
    return undefined;
  }
  // Saves what could not be saved while the database was unavailable.
  await recorder.flush();
  events.changed(
    workspace,
    change.status,
    change.failed
      ? { kind: 'failed', cause: change.statusMessage ?? '' }
      : { kind: 'started', durationMs: now().getTime() - begun },
  );
  return change.status;
}

/** The outcome of a start or a run. */
export type Outcome = WorkspaceChange &
  Pick<Workspace, 'status' | 'failed' | 'statusMessage'>;

/**
 * Records an outcome if the workspace is still in one of the states `from`. Safe to retry.
 *
 * @returns true if the outcome is recorded, even if by an earlier attempt whose response was lost, or by
 * another replica that observed it in the cluster. False for any other outcome, such as a stop requested
 * in the meantime, whose message differs.
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

/** Matches warnings of a start, which earlier versions stored among those about the devfile. */
const START_WARNING =
  /^(Project ".*" was not fetched: |The workspace has no address for its IDE$)/;

/**
 * Reads a workspace again, because its devfile may have been updated before it was Starting. Removes
 * the {@link START_WARNING}s from its record.
 */
async function readAgain(
  store: WorkspaceStore,
  workspace: Workspace,
): Promise<Workspace> {
  const current = (await store.get(workspace.id)) ?? workspace;
  const { id, warnings } = current;
  const others = warnings.filter(warning => !START_WARNING.test(warning));
  if (others.length < warnings.length) {
    await store.update(id, { warnings: others });
  }
  return current;
}

function failureOf(error: unknown): Outcome {
  const stillStopping =
    error instanceof StartFailedError && error.stillStopping;
  return {
    status: stillStopping ? 'Stopping' : 'Stopped',
    failed: true,
    statusMessage: causeOf(error),
  };
}

/** Returns the cause of a failure for users, without the message of a system call, which contains a path. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const { errno = 0 }: NodeJS.ErrnoException = error;
  const [code, meaning] = getSystemErrorMap().get(errno) ?? [];
  return code ? `The start failed: ${meaning} (${code})` : error.message;
}

/** Undoes a start if a stop or a deletion changed the record before it could abort the start. */
async function undoStart(
  { gateway, runtime, store }: LifecycleParts,
  id: string,
): Promise<void> {
  await gateway.close(id);
  if (await store.get(id)) {
    await runtime.stop(id);
  } else {
    await runtime.delete(id);
  }
}

/**
 * Returns a function that finds the author of an owner's commits in the catalog: the display name, or else
 * the user's name, and the email address; null without an email address, or if the catalog does not respond.
 */
export function authorInCatalog(deps: {
  auth: AuthService;
  catalog: Pick<CatalogService, 'getEntityByRef'>;
  logger: LoggerService;
}): (owner: string) => Promise<CommitAuthor | null> {
  const { auth, catalog, logger } = deps;
  const find = async (owner: string) => {
    const credentials = await auth.getOwnServiceCredentials();
    const entity = await catalog.getEntityByRef(owner, { credentials });
    const { profile } = (entity?.spec ?? {}) as {
      profile?: { displayName?: unknown; email?: unknown };
    };
    // Git rejects commits of an author whose name or email address is empty.
    const name = textOf(profile?.displayName) || entity?.metadata.name;
    const email = textOf(profile?.email);
    return name && email ? { name, email } : null;
  };
  return async owner => {
    if (!/^user:/i.test(owner)) {
      return null;
    }
    const found = find(owner).catch(error => {
      logger.debug(`No commit author for ${owner}: ${stringifyError(error)}`);
      return null;
    });
    return Promise.race([
      found,
      delay(LOOKUP_TIMEOUT_MS, null, { ref: false }),
    ]);
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
