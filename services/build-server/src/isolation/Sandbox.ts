import { statSync } from 'node:fs';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isRoot, mountArguments } from '@slipway/processes';
import {
  type BuildFolders,
  foldersIn,
  makeFolders,
} from '../execution/buildFolder.ts';
import type { ExecutorStatus } from '../execution/Executor.ts';
import type { BuildDirectory, Isolation } from './Isolation.ts';
import type { BuildNetworks } from './BuildNetworks.ts';
import type { Limiter } from './limits.ts';

/** Builds whose ids differ by this number share a user id. */
const USERS = 65_536;

/** The folders of a build inside the sandbox, wherever the server stores them. */
const INSIDE: BuildFolders = {
  work: '/build/work',
  home: '/build/home',
  tmp: '/tmp',
};

/** A folder that exists on every system and that no build needs: the build's folder is mounted here first. */
const STAGE = '/var/tmp';
const STAGED = path.join(STAGE, 'build');

/** Resolves names in the own network of a build. */
const RESOLVER = 'resolv.conf';

const NO_ERROR = { throwIfNoEntry: false } as const;

/** The programs needed for a sandbox; absolute paths. */
export interface SandboxPrograms {
  bwrap: string;
  env: string;
  /** Changes the user; required if the server runs as root. */
  setpriv: string | null;
}

/**
 * Runs each program of a build in bubblewrap: it sees the system's programs, the folders
 * of its build and its own processes, and nothing of the server. Background processes end
 * with the program. The network is the machine's, unless the build has its own or a step runs
 * offline. A server that runs as root gives each build its own user id **before** bubblewrap creates
 * a user namespace: one created by root would map its users to root.
 */
export class Sandbox implements Isolation {
  readonly status: ExecutorStatus;
  readonly endsProcesses = true;
  readonly #programs: SandboxPrograms;
  readonly #readable: readonly string[];
  readonly #firstUid: number;
  readonly #limiter: Limiter;
  readonly #networks: BuildNetworks | undefined;
  readonly #hasOwnNetwork: boolean;

  constructor(options: {
    programs: SandboxPrograms;
    /** Files and folders that builds may read in addition to the system's; absolute. */
    readable: readonly string[];
    /** The first user id of builds, if the server runs as root. */
    firstUid: number;
    limiter: Limiter;
    /** The general limits in words. */
    limits: string;
    /** Own networks; undefined if they do not work here. */
    networks?: BuildNetworks;
    /** True if all builds have their own network, not only those with services. */
    hasOwnNetwork?: boolean;
    /** What does not work as configured; sentences for people. */
    gaps?: readonly string[];
  }) {
    this.#limiter = options.limiter;
    this.status = {
      kind: 'bubblewrap',
      limits: `${options.limiter.means}: ${options.limits}`,
      gaps: [
        options.hasOwnNetwork
          ? 'Steps without `network: none` can reach every machine that the build server can.'
          : "Steps without `network: none` share the build server's network, including ports of its machine, except in builds with services.",
        ...(options.gaps ?? []),
        ...options.limiter.gaps,
      ],
    };
    this.#programs = options.programs;
    this.#readable = options.readable;
    this.#firstUid = options.firstUid;
    this.#networks = options.networks;
    this.#hasOwnNetwork = options.hasOwnNetwork ?? false;
  }

  async prepare(build: BuildDirectory): Promise<void> {
    const { directory } = build;
    const { uid, gid } = this.#userOf(build);
    await mkdir(directory, { recursive: true });
    await Promise.all([
      this.#limiter.prepare(build.buildId, build.limits),
      this.#makeOwnFolders(directory, { uid, gid }),
      // The build's user opens the folder after it is mounted where that user has access.
      chmod(directory, 0o755),
      writeForAll(
        path.join(directory, 'passwd'),
        `root:x:0:0:root:/root:/usr/sbin/nologin\nbuild:x:${uid}:${gid}::${INSIDE.home}:/bin/sh\n`,
      ),
      writeForAll(
        path.join(directory, 'group'),
        `root:x:0:\nbuild:x:${gid}:\n`,
      ),
      this.#hasOwnNetwork ? this.connect(build) : undefined,
    ]);
  }

  async connect({ buildId, directory }: BuildDirectory): Promise<boolean> {
    if (!this.#networks) {
      return false;
    }
    await writeForAll(
      path.join(directory, RESOLVER),
      await this.#networks.resolver(),
    );
    await this.#networks.open(buildId);
    return true;
  }

  async #makeOwnFolders(
    directory: string,
    { uid, gid }: { uid: number; gid: number },
  ): Promise<void> {
    await makeFolders(directory);
    if (isRoot()) {
      const folders = Object.values(foldersIn(directory));
      await Promise.all(folders.map(folder => chown(folder, uid, gid)));
    }
  }

  folders(): BuildFolders {
    return INSIDE;
  }

  command(
    build: BuildDirectory,
    argv: readonly string[],
    { isOffline = false }: { isOffline?: boolean } = {},
  ): string[] {
    const { bwrap, env } = this.#programs;
    const { buildId } = build;
    const ownNetwork = isOffline ? undefined : this.#networkOf(buildId);
    return this.#limiter.command(buildId, [
      ...(ownNetwork?.within(buildId, []) ?? []),
      // SIGTERM is meant for the program inside, which gets time to end; bubblewrap ends
      // with it. There is no shell between the server and bubblewrap: bubblewrap would be
      // tied to the life of the shell instead of the server's.
      ...[env, '--ignore-signal=TERM,INT,HUP'],
      ...(isRoot() ? this.#asItsUser(build) : []),
      ...[bwrap, '--die-with-parent', '--unshare-user', '--disable-userns'],
      ...['--unshare-pid', '--unshare-ipc', '--unshare-cgroup-try'],
      ...['--unshare-uts', '--hostname', 'build'],
      ...(isOffline ? ['--unshare-net'] : []),
      ...this.#mounts(isRoot() ? STAGED : build.directory, ownNetwork),
      ...['--chdir', INSIDE.work, '--'],
      ...[env, '--default-signal=TERM,INT,HUP'],
      ...argv,
    ]);
  }

  view(): string {
    const mounted = this.#mounts('').filter(argument =>
      path.isAbsolute(argument),
    );
    return mounted
      .map(place => `${place} ${statSync(place, NO_ERROR)?.ino}`)
      .join('\n');
  }

  explain({ buildId }: BuildDirectory): Promise<string | undefined> {
    return this.#limiter.explain(buildId);
  }

  excess(
    { buildId }: BuildDirectory,
    sessions: ReadonlySet<number>,
  ): Promise<string | undefined> {
    return this.#limiter.excess(buildId, sessions);
  }

  async release({ buildId }: BuildDirectory): Promise<void> {
    await this.#limiter.release(buildId);
    await this.#networks?.close(buildId);
  }

  /** Returns the networks if the build has one of them. */
  #networkOf(buildId: number): BuildNetworks | undefined {
    return this.#networks?.has(buildId) ? this.#networks : undefined;
  }

  #userOf({ buildId }: BuildDirectory): { uid: number; gid: number } {
    if (!isRoot()) {
      return { uid: process.getuid!(), gid: process.getgid!() };
    }
    const id = this.#firstUid + (buildId % USERS);
    return { uid: id, gid: id };
  }

  /** Mounts the build's folder where any user has access, and switches to the build's user. */
  #asItsUser(build: BuildDirectory): string[] {
    const { uid, gid } = this.#userOf(build);
    return [
      // A process of another user survives its parent's death, as the parent may not signal it. A
      // PID namespace ends all of its processes, whatever their user.
      ...[this.#programs.bwrap, '--die-with-parent', '--unshare-pid'],
      ...[
        '--cap-add',
        'ALL',
        '--dev-bind',
        '/',
        '/',
        '--perms',
        '0755',
        '--tmpfs',
        STAGE,
      ],
      ...['--bind', build.directory, STAGED, '--'],
      ...[this.#programs.setpriv!, '--reuid', `${uid}`, '--regid', `${gid}`],
      ...['--clear-groups', '--inh-caps=-all', '--'],
    ];
  }

  #mounts(directory: string, ownNetwork?: BuildNetworks): string[] {
    const { work, home, tmp } = foldersIn(directory);
    return [
      ...mountArguments({
        etc: ownNetwork ? [] : ['resolv.conf'],
        readable: this.#readable,
        files: [
          [path.join(directory, 'passwd'), '/etc/passwd'],
          [path.join(directory, 'group'), '/etc/group'],
          ...(ownNetwork
            ? [[path.join(directory, RESOLVER), '/etc/resolv.conf'] as const]
            : []),
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

/** Writes a file readable by all, whatever the umask of the server. */
async function writeForAll(file: string, text: string): Promise<void> {
  await writeFile(file, text);
  await chmod(file, 0o644);
}
