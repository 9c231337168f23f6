import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import path from 'node:path';

/** Top-level names that are links into /usr on most systems and directories on others. */
const SYSTEM_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64'];

/**
 * The entries of /etc that programs need. An allowlist: anything else that an operator keeps there,
 * such as settings of the platform, is not visible.
 */
const ETC_ENTRIES = [
  'alternatives',
  'ca-certificates',
  'ca-certificates.conf',
  'crypto-policies',
  'fonts',
  'gai.conf',
  'host.conf',
  'hosts',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'pki',
  'protocols',
  'services',
  'ssl',
  'terminfo',
  'timezone',
];

/** Maximum bytes of memory for files below /dev/shm and /run. */
const SHARED_MEMORY_BYTES = 256 * 1024 ** 2;
const RUN_BYTES = 16 * 1024 ** 2;

/**
 * Paths of this machine that are visible in a sandbox, besides the system's programs. All paths
 * are absolute.
 */
export interface SandboxMounts {
  /** Entries of /etc in addition to those that every program needs. */
  etc: readonly string[];
  /** Read-only paths, mounted at the same place; missing ones are skipped. */
  readable: readonly string[];
  /** Read-only files mounted at another place: `[here, there]`. */
  files: readonly (readonly [here: string, there: string])[];
  /** Writable directories: `[here, there]`. */
  writable: readonly (readonly [here: string, there: string])[];
  /**
   * Directory on disk that becomes /tmp in the sandbox; a memory file system would have no limit.
   */
  tmp: string;
}

/**
 * Converts mounts to arguments of bubblewrap: the system's programs read-only, separate processes
 * and devices, and these mounts. Later mounts cover earlier ones.
 */
export function mountArguments(mounts: SandboxMounts): string[] {
  const { etc, files, writable, tmp } = mounts;
  const readable = [...new Set(mounts.readable)]
    .filter(existsSync)
    .sort((left, right) => left.length - right.length);
  const places = [
    ...readable,
    ...[...writable, ...files].map(([, there]) => there),
  ];
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...SYSTEM_FOLDERS.flatMap(systemFolder),
    ...folder('/etc'),
    ...[...ETC_ENTRIES, ...etc].flatMap(name =>
      bindReal(path.join('/etc', name)),
    ),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--perms', '1777', '--size', `${SHARED_MEMORY_BYTES}`],
    ...['--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--perms', '0755', '--size', `${RUN_BYTES}`, '--tmpfs', '/run'],
    ...['--bind', tmp, '/tmp'],
    ...folder('/var'),
    ...['--bind', tmp, '/var/tmp'],
    ...foldersAbove(places).flatMap(folder),
    ...readable.flatMap(place => ['--ro-bind-try', place, place]),
    ...files.flatMap(([here, there]) => ['--ro-bind', here, there]),
    ...writable.flatMap(([here, there]) => ['--bind', here, there]),
  ];
}

/** Creates a directory explicitly: bubblewrap would create missing ones for its own user only. */
function folder(place: string): string[] {
  return ['--perms', '0755', '--dir', place];
}

function systemFolder(place: string): string[] {
  if (!existsSync(place)) {
    return [];
  }
  return lstatSync(place).isSymbolicLink()
    ? ['--symlink', readlinkSync(place), place]
    : ['--ro-bind', place, place];
}

/**
 * Mounts the target of a link: links in /etc often point to paths that the sandbox does not
 * contain.
 */
function bindReal(place: string): string[] {
  return existsSync(place) ? ['--ro-bind', realpathSync(place), place] : [];
}

function foldersAbove(places: readonly string[]): string[] {
  const above = new Set<string>();
  for (const place of places) {
    let current = path.dirname(place);
    while (current !== path.dirname(current)) {
      above.add(current);
      current = path.dirname(current);
    }
  }
  return [...above]
    .filter(place => !/^\/(usr|proc|dev|tmp)$/.test(place))
    .filter(place => !place.startsWith('/usr/'))
    .sort((left, right) => left.length - right.length);
}

/** Directories of system programs that a PATH may lack. */
const PROGRAM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/usr/sbin', '/bin'];

/**
 * Finds a program on a PATH, then in the directories `besides`.
 *
 * @returns its absolute path; null if not found.
 */
export function findProgram(
  name: string,
  searchPath: string,
  besides: readonly string[] = PROGRAM_FOLDERS,
): string | null {
  return (
    [...searchPath.split(path.delimiter), ...besides]
      .filter(place => path.isAbsolute(place))
      .map(place => path.join(place, name))
      .find(isExecutable) ?? null
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Checks whether this process has the privileges of root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}
