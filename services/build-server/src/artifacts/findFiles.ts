import { opendir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { matchesGlob } from '../jobs/globs.ts';

/** Characters with a meaning in globs. */
const MAGIC = /[*?[\]{}()!+@\\]/;

/**
 * Finds the files of a folder that match globs. Never leaves the folder: a build may have
 * made links anywhere, such as to the root of the machine.
 *
 * @param root - absolute, without links.
 * @returns names relative to the folder, also those of links to files; not sorted, and
 * possibly more than once.
 */
export async function* findFiles(
  root: string,
  globs: readonly string[],
): AsyncGenerator<string> {
  for (const glob of globs) {
    const pattern = path.posix.normalize(glob);
    const segments = pattern.split('/');
    const magic = segments.findIndex(segment => MAGIC.test(segment));
    const prefix = segments.slice(0, magic < 0 ? -1 : magic).join('/');
    const start = await realpath(path.join(root, prefix)).catch(() => '');
    if (path.posix.isAbsolute(pattern) || !isInside(start, root)) {
      continue;
    }
    // Without `**`, deeper files cannot match.
    const depth = segments.includes('**') ? Infinity : segments.length;
    const from = prefix === '' ? [] : prefix.split('/');
    yield* walk(start, { pattern, from, depth });
  }
}

async function* walk(
  folder: string,
  options: { pattern: string; from: readonly string[]; depth: number },
): AsyncGenerator<string> {
  const { pattern, from, depth } = options;
  if (from.length >= depth) {
    return;
  }
  // It may be gone, or not readable.
  const entries = await opendir(folder).catch(() => undefined);
  for await (const entry of entries ?? []) {
    const names = [...from, entry.name];
    if (entry.isDirectory()) {
      yield* walk(path.join(folder, entry.name), { ...options, from: names });
    } else if (matchesGlob(names.join('/'), pattern)) {
      yield names.join('/');
    }
  }
}

function isInside(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(root + path.sep);
}
