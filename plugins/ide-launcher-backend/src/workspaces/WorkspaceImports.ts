import { ConflictError, InputError } from '@backstage/errors';
import {
  ImportedWorkspace,
  WorkspaceImport,
  WorkspaceImportResult,
} from '@slipway/plugin-ide-launcher-common';
import { callerOfUser } from '@slipway/portal-kit';
import { chooseRevision, LoadedDevfile } from '../devfile';
import {
  CreationParts,
  describeWarnings,
  draftWorkspace,
} from './createWorkspace';
import { checkPlace, defaultNamespace } from './policy';
import { Workspace } from './Workspace';
import { WorkspaceEvents } from './WorkspaceEvents';
import { WorkspaceLifecycle } from './WorkspaceLifecycle';

/** Dependencies of {@link WorkspaceImports}. */
interface ImportParts extends Omit<CreationParts, 'limits'> {
  lifecycle: Pick<WorkspaceLifecycle, 'delete'>;
  events: WorkspaceEvents;
}

/** Imports workspaces for their owners. The routes' guard checks the permission first. */
export class WorkspaceImports {
  readonly #parts: ImportParts;

  constructor(options: Omit<ImportParts, 'now'>) {
    this.#parts = { ...options, now: () => new Date() };
  }

  /**
   * Records workspaces as stopped, each in its owner's default namespace, without notifying the owners.
   * Skips those whose name is in use there; records none if any is invalid. Limits apply only when an
   * owner starts one.
   *
   * @throws InputError naming the workspace whose devfile or times are invalid.
   * @throws NotAllowedError if a namespace belongs to another owner.
   */
  async import(request: WorkspaceImport): Promise<WorkspaceImportResult> {
    const { imported, skipped } = await importWorkspaces(this.#parts, request);
    imported.forEach(workspace =>
      this.#parts.events.changed(workspace, 'Stopped', { kind: 'requested' }),
    );
    return {
      imported: imported.length,
      skipped: skipped.map(({ owner, name }) => ({ owner, name })),
    };
  }

  /** Deletes the workspaces of an import that have never run; others may contain their owners' work. */
  async delete(source: string): Promise<{ deleted: number }> {
    const { lifecycle, store } = this.#parts;
    let deleted = 0;
    for (const workspace of await store.listImported(source)) {
      const isDeleted = await lifecycle.delete(workspace, {
        importedFrom: source,
      });
      deleted += isDeleted ? 1 : 0;
    }
    return { deleted };
  }
}

/** The workspaces that an import added, and those that it skipped because their name was in use. */
interface ImportedAndSkipped {
  imported: Workspace[];
  skipped: ImportedWorkspace[];
}

async function importWorkspaces(
  parts: ImportParts,
  { source, workspaces }: WorkspaceImport,
): Promise<ImportedAndSkipped> {
  const now = parts.now().toISOString();
  const devfiles = new Map<string, Promise<LoadedDevfile>>();
  const drafts = await Promise.all(
    workspaces.map((item, index) =>
      naming(`workspaces[${index}]`, async () => {
        checkTimes(item, now);
        const loaded = await loadOnce(parts, devfiles, item);
        return draft(parts, { source, item, loaded });
      }),
    ),
  );
  const free: Workspace[] = [];
  for (const workspace of drafts) {
    if (await isFree(parts, workspace)) {
      free.push(workspace);
    }
  }
  const imported = await parts.store.insertFree(free);
  const added = new Set(imported.map(({ id }) => id));
  return {
    imported,
    skipped: workspaces.filter((_, index) => !added.has(drafts[index].id)),
  };
}

function draft(
  parts: ImportParts,
  chosen: { source: string; item: ImportedWorkspace; loaded: LoadedDevfile },
): Workspace {
  const { item, loaded, source } = chosen;
  const owner = callerOfUser(item.owner);
  const devfile = item.revision
    ? chooseRevision(loaded.devfile, item.revision)
    : loaded.devfile;
  return {
    ...draftWorkspace(parts, item, {
      devfile,
      devfileUrl: item.devfileUrl,
      warnings: describeWarnings(parts, loaded, devfile),
      owner: owner.ref,
      namespace: defaultNamespace(owner),
    }),
    status: 'Stopped',
    statusMessage: item.note ?? null,
    createdAt: item.createdAt,
    lastUsedAt: item.lastUsed,
    importedFrom: source,
    keptUntil: item.deletesAt ?? null,
  };
}

/** Loads the devfile of an imported workspace; reads each address once, even if several share it. */
async function loadOnce(
  { devfiles }: Pick<CreationParts, 'devfiles'>,
  read: Map<string, Promise<LoadedDevfile>>,
  { devfile, devfileUrl }: ImportedWorkspace,
): Promise<LoadedDevfile> {
  if (devfile !== undefined) {
    return devfiles.loadFromText(devfile, devfileUrl);
  }
  const loading = read.get(devfileUrl) ?? devfiles.load(devfileUrl);
  read.set(devfileUrl, loading);
  return loading;
}

/** Checks the times of a workspace: `createdAt` ≤ `lastUsed` ≤ `now` < `deletesAt`. @throws InputError */
function checkTimes(
  { createdAt, deletesAt, lastUsed }: ImportedWorkspace,
  now: string,
): void {
  if (createdAt > lastUsed) {
    throw new InputError('lastUsed must not be before createdAt');
  }
  if (lastUsed > now) {
    throw new InputError('lastUsed must not be in the future');
  }
  if (deletesAt !== undefined && deletesAt <= now) {
    throw new InputError('deletesAt must be in the future');
  }
}

async function isFree(
  { runtime }: Pick<CreationParts, 'runtime'>,
  place: Workspace,
): Promise<boolean> {
  try {
    await checkPlace(runtime, place);
    return true;
  } catch (error) {
    if (error instanceof ConflictError) {
      return false;
    }
    throw error;
  }
}

/** Runs an action, and prefixes the message of an InputError with a part of the request. */
async function naming<T>(part: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof InputError
      ? new InputError(`${part}: ${error.message}`)
      : error;
  }
}
