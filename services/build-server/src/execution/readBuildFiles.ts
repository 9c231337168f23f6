import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { findFiles } from '../artifacts/findFiles.ts';
import { type Report, ReportError } from './commands.ts';
import type { Place } from './Executor.ts';

const MAX_FILES = 1_000;
/** Maximum bytes of one file. */
const MAX_BYTES = 20 * 1024 * 1024;
/** Maximum bytes of all files that are read together, since all of them are in memory. */
export const MAX_TOTAL_BYTES = 100 * 1024 * 1024;

/**
 * Reads the files of a build that match globs, only within its work directory: a build
 * must not read files that only the server may read.
 *
 * @throws ReportError if there are too many, or they are too large.
 */
export async function readBuildFiles(
  place: Pick<Place, 'bring'>,
  globs: readonly string[],
): Promise<Report[]> {
  const root = await realpath(await place.bring(globs));
  const matches = new Map<string, string>();
  let total = 0;
  for await (const match of findFiles(root, globs)) {
    const file = await realpath(path.resolve(root, match)).catch(() => '');
    if (!file.startsWith(root + path.sep) || matches.has(file)) {
      continue;
    }
    const found = await stat(file);
    if (!found.isFile()) {
      continue;
    }
    if (found.size > MAX_BYTES) {
      throw new ReportError(`${match} is larger than ${MAX_BYTES} bytes`);
    }
    total += found.size;
    if (total > MAX_TOTAL_BYTES) {
      throw new ReportError(
        `The reports are larger than ${MAX_TOTAL_BYTES} bytes in total`,
      );
    }
    if (matches.size === MAX_FILES) {
      throw new ReportError(`There are more than ${MAX_FILES} reports`);
    }
    matches.set(file, match);
  }
  // Read only now, so that reports that are too large in total are never loaded into memory.
  const reports: Report[] = [];
  for (const [file, match] of matches) {
    reports.push({ path: match, text: await readFile(file, 'utf8') });
  }
  return reports;
}
