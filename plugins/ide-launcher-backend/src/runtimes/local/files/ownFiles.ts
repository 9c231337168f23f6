import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  realpath,
} from 'node:fs/promises';
import path from 'node:path';
import { isRoot } from '@slipway/processes';

/** Flags for opening a file without following a link or blocking on a pipe. */
// eslint-disable-next-line no-bitwise
const READ_PLAIN_FILE = constants.O_NOFOLLOW | constants.O_NONBLOCK;
const MAX_FILE_BYTES = 1024 ** 2;

/**
 * Creates a folder inside a workspace's own folder, for the workspace's user. Anything else with
 * that name, such as a link out of the workspace, is removed.
 */
export async function makeOwnFolder(
  parent: string,
  name: string,
): Promise<string> {
  const folder = path.join(parent, name);
  const present = await lstat(folder).catch(() => null);
  if (present && !present.isDirectory()) {
    await rm(folder);
  }
  if (!present?.isDirectory()) {
    await mkdir(folder, { mode: 0o700 });
    await giveToOwnerOf(parent, folder);
  }
  return folder;
}

/**
 * Writes a file for the owner of its folder, atomically; replaces a link of that name instead of
 * following it.
 */
export async function writeOwnFile(file: string, text: string): Promise<void> {
  const folder = path.dirname(file);
  const draft = path.join(folder, `.${randomUUID()}`);
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
  await giveToOwnerOf(folder, draft);
  await rename(draft, file);
}

/** Reads a file that a workspace may have created; null if it is missing, a link, or too large. */
export async function readOwnFile(file: string): Promise<string | null> {
  const handle = await open(file, READ_PLAIN_FILE).catch(() => null);
  if (!handle) {
    return null;
  }
  try {
    const stat = await handle.stat();
    return stat.isFile() && stat.size <= MAX_FILE_BYTES
      ? await handle.readFile('utf8')
      : null;
  } finally {
    await handle.close();
  }
}

/** Transfers ownership of what a portal running as root created to the workspace's user. */
async function giveToOwnerOf(folder: string, place: string): Promise<void> {
  const { uid, gid } = await lstat(folder);
  if (isRoot() && uid !== 0) {
    await lchown(place, uid, gid);
  }
}

/** Transfers ownership of a folder and its contents to the workspace's user. */
export async function giveAllToOwnerOf(
  folder: string,
  tree: string,
): Promise<void> {
  for (const name of ['', ...(await readdir(tree, { recursive: true }))]) {
    await giveToOwnerOf(folder, path.join(tree, name));
  }
}

/**
 * Transfers ownership of every folder from below `folder` down to and including `deepest` to the
 * workspace's user.
 */
async function giveTreeToOwnerOf(
  folder: string,
  deepest: string,
): Promise<void> {
  for (let place = deepest; place !== folder; place = path.dirname(place)) {
    await giveToOwnerOf(folder, place);
  }
}

/**
 * Moves a complete project from its draft folder into place, atomically.
 *
 * @param options.subDir - folder of the draft that is the project; defaults to all of it.
 * @returns null on success, otherwise the reason, as the end of a sentence.
 */
export async function placeProject(options: {
  draft: string;
  subDir?: string;
  folder: string;
}): Promise<string | null> {
  const { draft, subDir, folder } = options;
  const source = path.resolve(draft, subDir ?? '');
  if (!(await isFolderOf(draft, source))) {
    return `it has no folder ${JSON.stringify(subDir)}`;
  }
  const above = path.dirname(folder);
  const made = await mkdir(above, { recursive: true, mode: 0o700 });
  if (made) {
    await giveTreeToOwnerOf(path.dirname(made), above);
  }
  await rename(source, folder);
  return null;
}

/**
 * Returns whether a folder is really at its path inside the draft: links in untrusted content
 * may lead out of it.
 */
async function isFolderOf(draft: string, source: string): Promise<boolean> {
  const root = await realpath(draft);
  const expected = path.join(root, path.relative(draft, source));
  const real = await realpath(source).catch(() => null);
  return (
    real === expected &&
    (real === root || real.startsWith(`${root}${path.sep}`)) &&
    (await lstat(real)).isDirectory()
  );
}

/** Returns the total size of the files below a folder in bytes; stops counting once `limit` is exceeded. */
export async function folderSize(
  folder: string,
  limit: number,
): Promise<number> {
  let total = 0;
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const current = next;
    const entries = await readdir(current, { withFileTypes: true }).catch(
      () => [],
    );
    for (const entry of entries) {
      const file = path.join(current, entry.name);
      if (entry.isDirectory()) {
        pending.push(file);
      } else {
        total += (await lstat(file).catch(() => null))?.size ?? 0;
      }
    }
    if (total > limit) {
      return total;
    }
  }
  return total;
}
