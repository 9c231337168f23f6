import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mountArguments } from '@slipway/processes';
import {
  type BuildDirectory,
  type BuildFolders,
  foldersIn,
  type Isolation,
  type IsolationStatus,
  makeFolders,
} from './Isolation.ts';

/** Builds whose numbers are that far apart share a user. */
const USERS = 65_536;

/** The folders of a build inside the sandbox, wherever the server keeps them. */
const INSIDE: BuildFolders = {
  work: '/build/work',
  home: '/build/home',
  tmp: '/tmp',
};

/** Folder that every system has and no build needs: the build lies there on its way in. */
const STAGE = '/var/tmp';
const STAGED = path.join(STAGE, 'build');

/** The programs of this machine that a sandbox is made of; absolute paths. */
export interface SandboxPrograms {
  bwrap: string;
  env: string;
  /** Changes the user; a server that is root needs it. */
  setpriv: string | null;
}

/**
 * Runs each program of a build by bubblewrap: it sees the system's programs and the
 * folders of its build, its own processes, and nothing of the server. All that a program
 * leaves running ends with it. The network is the machine's.
 *
 * A server that is root gives each build a user number of its own **before** bubblewrap
 * makes a user namespace: a user namespace of root would map its users to root.
 */
export class Sandbox implements Isolation {
  readonly status: IsolationStatus = {
    kind: 'bubblewrap',
    gaps: [
      'Steps reach the network as the build server does, ports of its machine included.',
      'Processor time, memory and disk space are shared with the build server.',
    ],
  };
  readonly #programs: SandboxPrograms;
  readonly #readable: readonly string[];
  readonly #firstUid: number;

  constructor(options: {
    programs: SandboxPrograms;
    /** Folders and files that builds may read beside the system's; absolute. */
    readable: readonly string[];
    /** The first of the user numbers of builds, where the server is root. */
    firstUid: number;
  }) {
    this.#programs = options.programs;
    this.#readable = options.readable;
    this.#firstUid = options.firstUid;
  }

  async prepare(build: BuildDirectory): Promise<void> {
    const { directory } = build;
    const { uid, gid } = this.#userOf(build);
    await mkdir(directory, { recursive: true });
    await makeFolders(directory);
    if (isRoot()) {
      for (const folder of Object.values(foldersIn(directory))) {
        await chown(folder, uid, gid);
      }
    }
    // Its user looks into it, once it lies where that user gets to.
    await chmod(directory, 0o755);
    await writeForAll(
      path.join(directory, 'passwd'),
      `root:x:0:0:root:/root:/usr/sbin/nologin\nbuild:x:${uid}:${gid}::${INSIDE.home}:/bin/sh\n`,
    );
    await writeForAll(
      path.join(directory, 'group'),
      `root:x:0:\nbuild:x:${gid}:\n`,
    );
  }

  folders(): BuildFolders {
    return INSIDE;
  }

  command(build: BuildDirectory, argv: readonly string[]): string[] {
    const { bwrap, env } = this.#programs;
    const directory = isRoot() ? STAGED : build.directory;
    return [
      // The request to end is for what is inside, which has time to end; bubblewrap
      // ends with it. No shell stays between the server and bubblewrap: it would be the
      // parent that bubblewrap dies with.
      ...[env, '--ignore-signal=TERM,INT,HUP'],
      ...(isRoot() ? this.#asItsUser(build) : []),
      ...[bwrap, '--die-with-parent', '--unshare-user', '--disable-userns'],
      ...['--unshare-pid', '--unshare-ipc', '--unshare-cgroup-try'],
      ...['--unshare-uts', '--hostname', 'build'],
      ...this.#mounts(directory),
      ...['--chdir', INSIDE.work, '--'],
      ...[env, '--default-signal=TERM,INT,HUP'],
      ...argv,
    ];
  }

  #userOf({ buildId }: BuildDirectory): { uid: number; gid: number } {
    if (!isRoot()) {
      return { uid: process.getuid!(), gid: process.getgid!() };
    }
    const id = this.#firstUid + (buildId % USERS);
    return { uid: id, gid: id };
  }

  /** Puts the build's folder where any user gets to, and becomes the build's user. */
  #asItsUser(build: BuildDirectory): string[] {
    const { uid, gid } = this.#userOf(build);
    return [
      ...[this.#programs.bwrap, '--die-with-parent', '--cap-add', 'ALL'],
      ...['--dev-bind', '/', '/', '--perms', '0755', '--tmpfs', STAGE],
      ...['--bind', build.directory, STAGED, '--'],
      ...[this.#programs.setpriv!, '--reuid', `${uid}`, '--regid', `${gid}`],
      ...['--clear-groups', '--inh-caps=-all', '--'],
    ];
  }

  #mounts(directory: string): string[] {
    const { work, home, tmp } = foldersIn(directory);
    return [
      ...mountArguments({
        etc: ['resolv.conf'],
        readable: this.#readable,
        files: [
          [path.join(directory, 'passwd'), '/etc/passwd'],
          [path.join(directory, 'group'), '/etc/group'],
        ],
        writable: [
          [work, INSIDE.work],
          [home, INSIDE.home],
        ],
        tmp,
      }),
      ...['--remount-ro', '/'],
    ];
  }
}

/** Whatever the umask of the server is. */
async function writeForAll(file: string, text: string): Promise<void> {
  await writeFile(file, text);
  await chmod(file, 0o644);
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
