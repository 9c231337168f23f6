import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** Top-level names that are links into /usr on most systems, folders on others. */
const SYSTEM_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64'];

/**
 * What programs need of /etc. A list of what is let in: whatever else an
 * operator keeps there, such as the portal's own settings, stays out.
 */
const ETC_ENTRIES = [
  'alternatives',
  'bash.bashrc',
  'ca-certificates',
  'ca-certificates.conf',
  'crypto-policies',
  'fonts',
  'gai.conf',
  'host.conf',
  'hosts',
  'inputrc',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'pki',
  'profile',
  'profile.d',
  'protocols',
  'services',
  'ssl',
  'terminfo',
  'timezone',
];

/** Memory that files below /dev/shm and /run may take. */
const SHARED_MEMORY_BYTES = 256 * 1024 ** 2;
const RUN_BYTES = 16 * 1024 ** 2;

/** What a sandbox shows of this machine. All paths are absolute. */
interface MountPlan {
  /** Shown to be read, at their own place; what does not exist is left out. */
  readable: string[];
  /** Shown to be written, at their own place. */
  writable: string[];
  /** Files shown at another place: `[here, there]`. */
  files: [string, string][];
  /** Folder on disk that is /tmp in the sandbox; a memory file system would have no limit. */
  tmp: string;
}

/** Writes a plan as bubblewrap's arguments; later ones lie over earlier ones. */
export function mountArguments(plan: MountPlan): string[] {
  const readable = [...new Set(plan.readable)]
    .filter(existsSync)
    .sort((left, right) => left.length - right.length);
  const places = [
    ...readable,
    ...plan.writable,
    ...plan.files.map(([, there]) => there),
  ];
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...SYSTEM_FOLDERS.flatMap(systemFolder),
    ...folder('/etc'),
    ...ETC_ENTRIES.flatMap(name => bindReal(path.join('/etc', name))),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--perms', '1777', '--size', `${SHARED_MEMORY_BYTES}`],
    ...['--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--perms', '0755', '--size', `${RUN_BYTES}`, '--tmpfs', '/run'],
    ...['--bind', plan.tmp, '/tmp'],
    ...folder('/var'),
    ...['--bind', plan.tmp, '/var/tmp'],
    ...foldersAbove(places).flatMap(folder),
    ...readable.flatMap(place => ['--ro-bind', place, place]),
    ...plan.files.flatMap(([here, there]) => ['--ro-bind', here, there]),
    ...plan.writable.flatMap(place => ['--bind', place, place]),
  ];
}

/** Without it bubblewrap makes missing folders for its own user alone. */
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

/** A link in /etc often leads to where the sandbox shows nothing: what it means is shown in its place. */
function bindReal(place: string): string[] {
  return existsSync(place) ? ['--ro-bind', realpathSync(place), place] : [];
}

function foldersAbove(places: string[]): string[] {
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
