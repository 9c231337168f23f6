import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { InputError } from '@backstage/errors';

/** The longest name of a socket. */
const AGENT_SOCKET = 'agent.sock';

const ID_PATTERN = /^workspace-[a-z0-9-]{1,80}$/;

/** Longest path of a Unix socket that every supported system accepts, in bytes. */
const MAX_SOCKET_PATH = process.platform === 'linux' ? 107 : 103;

/** The folders and files of one workspace, all absolute. */
export interface WorkspacePaths {
  root: string;
  home: string;
  projects: string;
  userData: string;
  extensions: string;
  /** Clones that are not finished. */
  incoming: string;
  logs: string;
  ideLog: string;
  /** What runs now; there while the workspace is started. */
  runState: string;
  /** The list of the projects that were brought in. */
  projectState: string;
  /** Written by the guard when the editor ended. */
  exitCode: string;
  /** /tmp of a sandbox. */
  tmp: string;
  /** Folder of the sockets; alone in being near enough to the root for their names. */
  run: string;
  socket: string;
  /** Socket of the agent in a sandbox. */
  agentSocket: string;
  /** What the portal tells a sandbox of its user and network; not the workspace's to write. */
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
  /** Tells the processes of this installation from another's on the same machine. */
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

  /** Creates the folders that all workspaces share, for this user alone. */
  create(): void {
    for (const folder of [this.#dataDir, this.workspaces, this.#run]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    }
    // In a shared temporary folder somebody else may have been first.
    const stat = lstatSync(this.#run);
    if (!stat.isDirectory() || stat.uid !== (process.getuid?.() ?? stat.uid)) {
      throw new Error(
        `The folder for sockets belongs to another user: ${this.#run}`,
      );
    }
    chmodSync(this.#run, 0o700);
  }

  /**
   * The paths of a workspace, inside the data folder by construction.
   *
   * @throws InputError when the id is not one of ours.
   */
  of(id: string): WorkspacePaths {
    if (!isWorkspaceId(id)) {
      throw new InputError(`Not a workspace id: ${JSON.stringify(id)}`);
    }
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

/** Returns whether a name is a workspace id; such a name is also a safe file name. */
function isWorkspaceId(id: string): boolean {
  return ID_PATTERN.test(id);
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Ids of the workspaces that have a folder. */
export async function findWorkspaceFolders(parent: string): Promise<string[]> {
  const entries = await readdir(parent, { withFileTypes: true });
  return entries
    .filter(entry => entry.isDirectory() && isWorkspaceId(entry.name))
    .map(entry => entry.name);
}

const DISCARDED = '.discarded-';

/** Removes the folder of a workspace, if there is one. Renamed first: a removal that is cut short leaves no half workspace. */
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

/** Finishes removals that an earlier portal began. */
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
