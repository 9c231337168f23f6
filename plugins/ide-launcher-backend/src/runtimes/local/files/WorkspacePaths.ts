import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { checkWorkspaceId, isWorkspaceId } from '../../WorkspaceRuntime';

/** The longest socket name. */
const AGENT_SOCKET = 'agent.sock';

/** Longest path of a Unix socket that all supported systems accept, in bytes. */
const MAX_SOCKET_PATH = process.platform === 'linux' ? 107 : 103;

/** The folders and files of one workspace, as absolute paths. */
export interface WorkspacePaths {
  root: string;
  home: string;
  projects: string;
  userData: string;
  extensions: string;
  /** Incomplete clones. */
  incoming: string;
  logs: string;
  ideLog: string;
  /** State of the running editor; exists while the workspace is started. */
  runState: string;
  /** The list of the projects that were fetched. */
  projectState: string;
  /** Written by the guard when the editor has ended. */
  exitCode: string;
  /** /tmp of a sandbox. */
  tmp: string;
  /** Folder of the sockets; close enough to the root to keep socket paths short. */
  run: string;
  socket: string;
  /** Socket of the agent in a sandbox. */
  agentSocket: string;
  /** Files that describe a sandbox's user and network; read-only for the workspace. */
  sandbox: {
    folder: string;
    passwd: string;
    group: string;
    resolvConf: string;
  };
}

/** The folders of an installation: one data folder of one portal. */
export class InstallationPaths {
  readonly #dataDir: string;
  /** Distinguishes the processes of this installation from those of others on the same machine. */
  readonly installation: string;
  readonly workspaces: string;
  readonly lease: string;
  readonly #run: string;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
    this.installation = shortHash(dataDir);
    this.workspaces = path.join(dataDir, 'workspaces');
    this.lease = path.join(dataDir, 'lease');
    this.#run = this.#chooseRunFolder();
  }

  /** Creates the folders shared by all workspaces, accessible only to the current user. */
  create(): void {
    for (const folder of [this.#dataDir, this.workspaces, this.#run]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    }
    // In a shared temporary folder, another user may have created it first.
    const stat = lstatSync(this.#run);
    if (!stat.isDirectory() || stat.uid !== (process.getuid?.() ?? stat.uid)) {
      throw new Error(
        `The folder for sockets belongs to another user: ${this.#run}`,
      );
    }
    chmodSync(this.#run, 0o700);
  }

  /**
   * Returns the paths of a workspace, which are always inside the data folder.
   *
   * @throws InputError if the id is not a workspace id.
   */
  of(id: string): WorkspacePaths {
    checkWorkspaceId(id);
    const root = path.join(this.workspaces, id);
    const logs = path.join(root, 'logs');
    const run = path.join(this.#run, shortHash(id));
    const sandbox = path.join(root, 'sandbox');
    return {
      root,
      home: path.join(root, 'home'),
      projects: path.join(root, 'projects'),
      userData: path.join(root, 'user-data'),
      extensions: path.join(root, 'extensions'),
      incoming: path.join(root, 'incoming'),
      logs,
      ideLog: path.join(logs, 'ide.log'),
      runState: path.join(root, 'run.json'),
      projectState: path.join(root, 'projects.json'),
      exitCode: path.join(root, 'exit-code'),
      tmp: path.join(root, 'tmp'),
      run,
      socket: path.join(run, 'ide.sock'),
      agentSocket: path.join(run, AGENT_SOCKET),
      sandbox: {
        folder: sandbox,
        passwd: path.join(sandbox, 'passwd'),
        group: path.join(sandbox, 'group'),
        resolvConf: path.join(sandbox, 'resolv.conf'),
      },
    };
  }

  #chooseRunFolder(): string {
    const near = path.join(this.#dataDir, 'run');
    const longest = path.join(near, shortHash(''), AGENT_SOCKET);
    return Buffer.byteLength(longest) <= MAX_SOCKET_PATH
      ? near
      : path.join(os.tmpdir(), `slipway-${this.installation}`);
  }
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Lists the ids of the workspaces that have a folder in `parent`. */
export async function findWorkspaceFolders(parent: string): Promise<string[]> {
  const entries = await readdir(parent, { withFileTypes: true });
  return entries
    .filter(entry => entry.isDirectory() && isWorkspaceId(entry.name))
    .map(entry => entry.name);
}

const DISCARDED = '.discarded-';

/**
 * Removes the folder of a workspace if it exists. Renames it first, so that an interrupted
 * removal leaves no half-deleted workspace.
 */
export async function discardFolder(parent: string, id: string): Promise<void> {
  const discarded = path.join(parent, `${DISCARDED}${id}`);
  await rm(discarded, { recursive: true, force: true });
  await rename(path.join(parent, id), discarded).catch(error => {
    if (error.code !== 'ENOENT') {
      throw error;
    }
  });
  await rm(discarded, { recursive: true, force: true, maxRetries: 3 });
}

/** Completes removals that were interrupted by the end of an earlier portal. */
export async function removeDiscarded(parent: string): Promise<void> {
  const names = await readdir(parent);
  await Promise.all(
    names
      .filter(name => name.startsWith(DISCARDED))
      .map(name =>
        rm(path.join(parent, name), { recursive: true, force: true }),
      ),
  );
}
