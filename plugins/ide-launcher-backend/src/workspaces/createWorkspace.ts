import { ConflictError } from '@backstage/errors';
import { Caller } from '@slipway/portal-kit';
import { v7 as uuidv7 } from 'uuid';
import {
  chooseRevision,
  chooseStarterProject,
  DevfileLoader,
  formatIssue,
  generateWorkspaceName,
  LoadedDevfile,
} from '../devfile';
import { WorkspaceRuntime } from '../runtimes/WorkspaceRuntime';
import {
  checkNamespace,
  checkPlace,
  defaultNamespace,
  LimitGuard,
} from './policy';
import { CreateWorkspace } from './schemas';
import { Workspace } from './Workspace';
import { WorkspaceStore } from './storage/WorkspaceStore';

/** Dependencies of {@link createWorkspace}. */
export interface CreationParts {
  store: WorkspaceStore;
  devfiles: DevfileLoader;
  runtime: WorkspaceRuntime;
  limits: LimitGuard;
  now(): Date;
}

/** Attempts to generate a name that is not in use. */
const NAME_ATTEMPTS = 5;

/**
 * Records a workspace in state Starting from a devfile, within the caller's limits.
 *
 * @throws NotAllowedError if the namespace belongs to another owner or a limit is reached.
 * @throws InputError if the devfile cannot be read, is invalid, or lacks a requested part.
 * @throws ConflictError if a workspace with that name exists in the namespace.
 */
export async function createWorkspace(
  parts: CreationParts,
  caller: Caller,
  request: CreateWorkspace,
): Promise<Workspace> {
  const namespace = request.namespace ?? defaultNamespace(caller);
  // Checked first, so that callers without access learn nothing about the devfile.
  await checkNamespace(parts, caller, namespace);
  const { devfile, warnings } = await parts.devfiles.load(request.devfileUrl);
  const atRevision = request.revision
    ? chooseRevision(devfile, request.revision)
    : devfile;
  const loaded = {
    warnings,
    devfile: request.starterProject
      ? chooseStarterProject(atRevision, request.starterProject)
      : atRevision,
  };
  return parts.limits.within(caller.ref, 'create', async () => {
    for (let attempt = 1; ; attempt += 1) {
      const workspace = draftWorkspace(parts, request, {
        ...loaded,
        owner: caller.ref,
        namespace,
      });
      try {
        await checkPlace(parts.runtime, workspace);
        await parts.store.insert(workspace);
        return workspace;
      } catch (error) {
        const retry = !request.name && attempt < NAME_ATTEMPTS;
        if (!(error instanceof ConflictError) || !retry) {
          throw error;
        }
      }
    }
  });
}

/** Creates the initial workspace, with a new id and, unless the request has one, a new name. */
export function draftWorkspace(
  { now, runtime }: Pick<CreationParts, 'now' | 'runtime'>,
  request: Pick<CreateWorkspace, 'name' | 'devfileUrl'>,
  chosen: Pick<LoadedDevfile, 'devfile' | 'warnings'> & {
    owner: string;
    namespace: string;
  },
): Workspace {
  const { devfile, namespace, owner, warnings } = chosen;
  const at = now().toISOString();
  return {
    id: `workspace-${uuidv7()}`,
    owner,
    namespace,
    name: request.name ?? generateWorkspaceName(devfile.metadata.name),
    status: 'Starting',
    failed: false,
    statusMessage: null,
    devfileUrl: request.devfileUrl,
    devfileName: devfile.metadata.name,
    devfileVersion: devfile.metadata.version,
    devfile,
    editor: null,
    steps: [],
    warnings: [...warnings.map(formatIssue), ...runtime.unsupported(devfile)],
    startWarnings: [],
    createdAt: at,
    startedAt: null,
    lastUsedAt: at,
    extendedUntil: null,
    unusedNoticeAt: null,
    importedFrom: null,
    keptUntil: null,
  };
}
