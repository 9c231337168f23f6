import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { WorkspaceIsolation } from '@slipway/plugin-ide-launcher-common';
import { isRoot, mountArguments, SLIRP_NAMESERVER } from '@slipway/processes';
import { WorkspacePaths } from '../files/WorkspacePaths';
import { BLOCK_FD, INFO_FD, NetworkTools } from '../network/NetworkGate';

/** Entries of /etc needed by interactive shells. */
const SHELL_ENTRIES = ['bash.bashrc', 'inputrc', 'profile', 'profile.d'];

/** Programs of this machine used to create a sandbox. */
export interface SandboxPrograms {
  bwrap: string;
  prlimit: string;
  env: string;
  /** Changes the user; required if the portal runs as root. */
  setpriv: string | null;
  /** Programs for separate networks; null if unavailable. */
  network: NetworkTools | null;
}

/** Resource limits of a sandbox's programs, per process or in total. */
export interface ProgramLimits {
  processes: number;
  openFiles: number;
}

/** Options of {@link Sandbox}. */
interface SandboxOptions {
  programs: SandboxPrograms;
  users: WorkspaceUsers;
  /** Folders and files that every sandbox may read in addition to the system's. */
  readable: string[];
  limits: ProgramLimits;
}

/** A program to run in a sandbox. */
interface SandboxedProgram {
  workspaceId: string;
  paths: WorkspacePaths;
  command: string[];
  cwd: string;
  /** `own` needs a `NetworkGate`; `shared` is this machine's network. */
  network: 'own' | 'shared';
  /** Files needed by the command. */
  readable?: string[];
}

/**
 * Runs programs of a workspace with bubblewrap: with only the system's programs and the workspace's
 * folders in the file system, separate processes, no privileges, and limits that its programs cannot
 * raise.
 */
export class Sandbox {
  readonly #options: SandboxOptions;

  constructor(options: SandboxOptions) {
    this.#options = options;
  }

  /** The network of editors: a separate one, or this machine's. */
  get network(): 'own' | 'shared' {
    return this.networkTools ? 'own' : 'shared';
  }

  get networkTools(): NetworkTools | null {
    return this.#options.programs.network;
  }

  get limits(): ProgramLimits {
    return this.#options.limits;
  }

  /** Prepares a workspace's folders. No process of the workspace may be running. */
  async prepare(workspaceId: string, paths: WorkspacePaths): Promise<void> {
    await this.#options.users.prepare(workspaceId, paths, {
      nameserver: this.networkTools ? SLIRP_NAMESERVER : null,
    });
  }

  /** Returns the command that runs a program in the workspace's sandbox. */
  command(program: SandboxedProgram): string[] {
    const { programs } = this.#options;
    return [
      // Ignores signals outside of the sandbox: the processes inside receive them too and end in
      // their own time, and bubblewrap ends with them.
      ...['/bin/sh', '-c', 'trap \'\' TERM INT HUP; exec "$@"', 'sandbox'],
      programs.bwrap,
      ...['--die-with-parent', '--unshare-pid', '--unshare-ipc'],
      ...['--unshare-uts', '--hostname', 'workspace', '--unshare-cgroup-try'],
      ...(program.network === 'own' ? ownNetwork() : []),
      ...this.#mounts(program),
      ...['--chdir', program.cwd],
      ...this.#user(program.workspaceId),
      ...this.#limits(),
      ...[programs.env, '--default-signal=TERM,INT,HUP'],
      ...program.command,
    ];
  }

  #mounts({ paths, network, readable = [] }: SandboxedProgram): string[] {
    return mountArguments({
      etc: SHELL_ENTRIES,
      readable: [
        ...this.#options.readable,
        ...readable.filter(file => path.isAbsolute(file)),
      ],
      writable: workspaceFolders(paths)
        .filter(folder => folder !== paths.tmp)
        .map(folder => [folder, folder]),
      files: [
        [paths.sandbox.passwd, '/etc/passwd'],
        [paths.sandbox.group, '/etc/group'],
        [
          network === 'own' ? paths.sandbox.resolvConf : '/etc/resolv.conf',
          '/etc/resolv.conf',
        ],
      ],
      tmp: paths.tmp,
    });
  }

  #user(workspaceId: string): string[] {
    const { programs, users } = this.#options;
    if (!users.isRoot || !programs.setpriv) {
      return ['--unshare-user', '--'];
    }
    const { uid, gid } = users.of(workspaceId);
    return [
      ...['--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID', '--'],
      ...[programs.setpriv, '--reuid', `${uid}`, '--regid', `${gid}`],
      ...['--clear-groups', '--inh-caps=-all'],
    ];
  }

  #limits(): string[] {
    const { programs, limits } = this.#options;
    const { processes, openFiles } = limits;
    return [
      ...[programs.prlimit, `--nproc=${processes}:${processes}`],
      ...[`--nofile=${openFiles}:${openFiles}`, '--core=0:0', '--'],
    ];
  }
}

function ownNetwork(): string[] {
  return [
    ...['--unshare-net', '--info-fd', `${INFO_FD}`],
    ...['--block-fd', `${BLOCK_FD}`],
  ];
}

/** Isolation of workspaces on this machine. */
export interface Isolation {
  /** null: workspaces are plain processes of the portal's user. */
  sandbox: Sandbox | null;
  /**
   * Reasons why there is no sandbox, or no separate network, as sentences for users.
   */
  reasons: string[];
}

/** Describes a workspace's isolation for the API and the pages. */
export function describeIsolation(
  { sandbox, reasons }: Isolation,
  memoryBytes: number,
): WorkspaceIsolation {
  const memoryMebibytes = Math.round(memoryBytes / 1024 ** 2);
  if (!sandbox) {
    return {
      kind: 'none',
      network: 'shared',
      limits: { memoryMebibytes, processes: null, openFiles: null },
      gaps: [
        ...reasons,
        'Programs of the workspace run as the user of the portal and can read its files.',
        'Programs of the workspace can reach every port of this machine.',
      ],
    };
  }
  const own = sandbox.network === 'own';
  return {
    kind: 'bubblewrap',
    network: sandbox.network,
    limits: { memoryMebibytes, ...sandbox.limits },
    gaps: [
      ...(own
        ? []
        : [
            ...reasons,
            'Programs of the workspace can reach every port of this machine, and other programs on it can reach the ports that they open.',
          ]),
      'Processor time and disk space are shared with other workspaces.',
    ],
  };
}

const USERS = 65_536;
const runFile = promisify(execFile);

/** A user of this machine, by ID. */
interface WorkspaceUser {
  uid: number;
  gid: number;
}

/**
 * The users that workspaces run as. A portal running as root gives each workspace its own user
 * ID from an unused range, because the kernel counts processes per user and does not count
 * root's. Any other portal only has its own user.
 */
export class WorkspaceUsers {
  readonly #firstUid: number;
  readonly isRoot: boolean;

  constructor(options: { firstUid: number; isRoot?: boolean }) {
    this.#firstUid = options.firstUid;
    this.isRoot = options.isRoot ?? isRoot();
  }

  /** Returns the user of a workspace, which is the same at each start. */
  of(workspaceId: string): WorkspaceUser {
    if (!this.isRoot) {
      return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    }
    const digest = createHash('sha256').update(workspaceId).digest();
    const id = this.#firstUid + (digest.readUInt32BE() % USERS);
    return { uid: id, gid: id };
  }

  /**
   * Transfers ownership of a workspace's folders to its user, and writes the files that name
   * that user inside. No process of the workspace may be running.
   */
  async prepare(
    workspaceId: string,
    paths: WorkspacePaths,
    options: { nameserver: string | null },
  ): Promise<void> {
    const { uid, gid } = this.of(workspaceId);
    const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
    await mkdir(paths.sandbox.folder, { recursive: true, mode: 0o755 });
    await writeFile(
      paths.sandbox.passwd,
      `root:x:0:0:root:/root:/usr/sbin/nologin\nworkspace:x:${uid}:${gid}::${paths.home}:${shell}\n`,
      { mode: 0o644 },
    );
    await writeFile(paths.sandbox.group, `root:x:0:\nworkspace:x:${gid}:\n`, {
      mode: 0o644,
    });
    await writeFile(
      paths.sandbox.resolvConf,
      options.nameserver ? `nameserver ${options.nameserver}\n` : '',
      { mode: 0o644 },
    );
    if (this.isRoot) {
      await this.#own(workspaceId, paths);
    }
  }

  async #own(workspaceId: string, paths: WorkspacePaths): Promise<void> {
    const { uid, gid } = this.of(workspaceId);
    const folders = workspaceFolders(paths).filter(existsSync);
    const strangers: string[] = [];
    for (const folder of folders) {
      if ((await lstat(folder)).uid !== uid) {
        strangers.push(folder);
      }
    }
    if (strangers.length > 0) {
      // -h and -P: changes the owner of links and never follows them.
      await runFile('chown', ['-R', '-h', '-P', `${uid}:${gid}`, ...strangers]);
    }
  }
}

/** Returns the folders that a workspace's own processes write to. */
export function workspaceFolders(paths: WorkspacePaths): string[] {
  const { home, projects, userData, extensions, incoming, tmp, run } = paths;
  return [home, projects, userData, extensions, incoming, tmp, run];
}
