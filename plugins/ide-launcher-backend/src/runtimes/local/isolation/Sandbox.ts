import path from 'node:path';
import { WorkspacePaths } from '../WorkspacePaths';
import { BLOCK_FD, INFO_FD, SLIRP_NAMESERVER } from './gate';
import { ProgramLimits } from './kernelLimits';
import { mountArguments } from './mounts';
import { NetworkTools } from './NetworkGate';
import { WorkspaceUsers, workspaceFolders } from './WorkspaceUsers';

/** The programs of this machine that a sandbox is made of. */
export interface SandboxPrograms {
  bwrap: string;
  prlimit: string;
  env: string;
  /** Changes the user; needed by a portal that is root. */
  setpriv: string | null;
  /** Give a sandbox a network of its own; null where there is none. */
  network: NetworkTools | null;
}

/** How a {@link Sandbox} is made. */
export interface SandboxOptions {
  programs: SandboxPrograms;
  users: WorkspaceUsers;
  /** Folders and files that every sandbox may read beside the system's. */
  readable: string[];
  limits: ProgramLimits;
}

/** A program to run in a sandbox. */
export interface SandboxedProgram {
  workspaceId: string;
  paths: WorkspacePaths;
  command: string[];
  cwd: string;
  /** `own` needs a `NetworkGate`; `shared` is this machine's. */
  network: 'own' | 'shared';
  /** Files of the command itself. */
  readable?: string[];
}

/**
 * Runs programs of a workspace by bubblewrap: with a file system of the
 * system's programs and the workspace's own folders alone, with processes of
 * its own, no privileges, and limits that its programs cannot raise.
 */
export class Sandbox {
  readonly #options: SandboxOptions;

  constructor(options: SandboxOptions) {
    this.#options = options;
  }

  /** Whether editors get a network of their own. */
  get network(): 'own' | 'shared' {
    return this.networkTools ? 'own' : 'shared';
  }

  get networkTools(): NetworkTools | null {
    return this.#options.programs.network;
  }

  get limits(): ProgramLimits {
    return this.#options.limits;
  }

  /** Readies a workspace's folders. Nothing of the workspace may run meanwhile. */
  async prepare(workspaceId: string, paths: WorkspacePaths): Promise<void> {
    await this.#options.users.prepare(workspaceId, paths, {
      nameserver: this.networkTools ? SLIRP_NAMESERVER : null,
    });
  }

  /** The command that runs a program in the workspace's sandbox. */
  command(program: SandboxedProgram): string[] {
    const { programs } = this.#options;
    return [
      // Outside of the sandbox the request to end is not bubblewrap's: what is
      // inside gets it too and ends in its own time, and bubblewrap with it.
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
      readable: [
        ...this.#options.readable,
        ...readable.filter(file => path.isAbsolute(file)),
      ],
      writable: workspaceFolders(paths).filter(folder => folder !== paths.tmp),
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
