import { randomInt } from 'node:crypto';
import { ConflictError } from '@backstage/errors';
import { Caller } from '@slipway/portal-kit';
import { v7 as uuidv7 } from 'uuid';
import {
  chooseRevision,
  chooseStarterProject,
  chosenStarterProject,
  describeRevisionChange,
  DevfileLoader,
  formatIssue,
  LoadedDevfile,
  RepositoryLoader,
  sanitiseName,
} from '../devfile';
import { Devfile } from '../devfile/types';
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
  repositories: RepositoryLoader;
  runtime: WorkspaceRuntime;
  limits: LimitGuard;
  now(): Date;
}

/** Attempts to generate a name that is not in use. */
const NAME_ATTEMPTS = 5;

/**
 * Records a workspace in state Starting from a devfile or a repository, within the caller's limits.
 *
 * @throws NotAllowedError if the namespace belongs to another owner or a limit is reached.
 * @throws InputError if the repository or the devfile cannot be read, is invalid, or lacks a
 * requested part.
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
  const loaded = await readDevfile(parts, request);
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

/**
 * Reads the devfile of a stopped workspace again, for its next start.
 *
 * @throws InputError if the devfile cannot be read, is invalid, or lacks what was chosen from it.
 * @throws ConflictError if the workspace is not stopped.
 */
export async function updateDevfile(
  parts: Pick<CreationParts, 'runtime' | 'store'> & DevfileParts,
  workspace: Workspace,
): Promise<void> {
  const isUpdated =
    workspace.status === 'Stopped' &&
    (await parts.store.transition(
      workspace.id,
      ['Stopped'],
      await readDevfileAgain(parts, workspace),
    ));
  if (!isUpdated) {
    throw new ConflictError(
      `${workspace.name} is not stopped; stop it to update its devfile`,
    );
  }
}

/**
 * Reads a workspace's devfile again, or looks for it in its repository again. Workspaces created by
 * earlier versions do not record the user's choices: the starter project is found in the old devfile; a
 * different revision only results in a warning.
 */
async function readDevfileAgain(
  parts: DevfileParts,
  workspace: Workspace,
): Promise<WorkspaceDevfile> {
  const { devfile, devfileUrl, repositoryUrl, revision } = workspace;
  const { base, ...read } = await readDevfile(parts, {
    ...(repositoryUrl === null ? { devfileUrl } : { repositoryUrl }),
    revision,
    starterProject: workspace.starterProject ?? chosenStarterProject(devfile),
  });
  const change = describeRevisionChange(devfile, read.devfile);
  return change ? { ...read, warnings: [...read.warnings, change] } : read;
}

/** The dependencies that read devfiles. */
type DevfileParts = Pick<
  CreationParts,
  'devfiles' | 'repositories' | 'runtime'
>;

/** The fields of a workspace that come from its devfile. */
type WorkspaceDevfile = Pick<Workspace, 'devfile' | 'devfileUrl' | 'warnings'>;

/** The devfile or repository that a workspace is created from. */
type WorkspaceSource = (
  | { devfileUrl: string; repositoryUrl?: undefined }
  | { repositoryUrl: string; devfileUrl?: undefined }
) & { revision?: string | null; starterProject?: string | null };

/**
 * Reads a devfile, from its address or from a repository, with the chosen revision and starter project.
 *
 * @returns the fields of the workspace, and the `base` of a generated name.
 * @throws InputError if the devfile cannot be read, is invalid, or lacks what was chosen.
 */
async function readDevfile(
  parts: DevfileParts,
  source: WorkspaceSource,
): Promise<WorkspaceDevfile & { base: string }> {
  const loaded = await loadSource(parts, source);
  const devfile = source.starterProject
    ? chooseStarterProject(loaded.devfile, source.starterProject)
    : loaded.devfile;
  return {
    base: loaded.base,
    devfile,
    devfileUrl: loaded.devfileUrl,
    warnings: describeWarnings(parts, loaded, devfile),
  };
}

async function loadSource(parts: DevfileParts, source: WorkspaceSource) {
  const { revision } = source;
  if (source.repositoryUrl !== undefined) {
    const loaded = await parts.repositories.load(source);
    return { ...loaded, base: loaded.repository.name };
  }
  const { devfile, warnings } = await parts.devfiles.load(source.devfileUrl);
  return {
    devfile: revision ? chooseRevision(devfile, revision) : devfile,
    warnings,
    devfileUrl: source.devfileUrl,
    base: devfile.metadata.name,
  };
}

/** Returns a devfile's warnings for its workspace, including parts that the runtime does not support. */
export function describeWarnings(
  { runtime }: Pick<CreationParts, 'runtime'>,
  { warnings }: Pick<LoadedDevfile, 'warnings'>,
  devfile: Devfile,
): string[] {
  return [...warnings.map(formatIssue), ...runtime.unsupported(devfile)];
}

/** Creates the initial workspace, with a new id and, unless the request has one, a new name. */
export function draftWorkspace(
  { now }: Pick<CreationParts, 'now'>,
  request: Partial<
    Pick<
      CreateWorkspace,
      'name' | 'repositoryUrl' | 'revision' | 'starterProject'
    >
  >,
  chosen: WorkspaceDevfile & {
    owner: string;
    namespace: string;
    /** The first part of a generated name; defaults to the devfile's name. */
    base?: string;
  },
): Workspace {
  const { devfile, devfileUrl, namespace, owner, warnings } = chosen;
  const { base = devfile.metadata.name } = chosen;
  const at = now().toISOString();
  return {
    id: `workspace-${uuidv7()}`,
    owner,
    namespace,
    name: request.name ?? generateWorkspaceName(base),
    status: 'Starting',
    failed: false,
    statusMessage: null,
    devfileUrl,
    repositoryUrl: request.repositoryUrl ?? null,
    devfileName: devfile.metadata.name,
    devfileVersion: devfile.metadata.version,
    devfile,
    revision: request.revision ?? null,
    starterProject: request.starterProject ?? null,
    editor: null,
    steps: [],
    warnings,
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

const MAX_NAME_LENGTH = 63;
const SUFFIX_LENGTH = 4;
const SUFFIX_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Generates a workspace name: `<devfile name>-<4 random characters>`, matching
 * `^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$`.
 */
export function generateWorkspaceName(devfileName: string): string {
  const base = sanitiseName(devfileName, MAX_NAME_LENGTH - SUFFIX_LENGTH - 1);
  const suffix = Array.from(
    { length: SUFFIX_LENGTH },
    () => SUFFIX_CHARACTERS[randomInt(SUFFIX_CHARACTERS.length)],
  ).join('');
  return `${base || 'workspace'}-${suffix}`;
}
