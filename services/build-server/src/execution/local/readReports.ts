import { glob, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Report, ReportError } from '../commands.ts';

const MAX_FILES = 1_000;
/** Bytes of one report. */
const MAX_BYTES = 20 * 1024 * 1024;
/** Bytes of all reports of a build, which are in memory at once. */
const MAX_TOTAL_BYTES = 100 * 1024 * 1024;

/**
 * Reads the files of a directory that match globs. Links that lead out of it are not
 * followed: a build must not read what only the server may.
 *
 * @throws ReportError when there are too many, or they are too large.
 */
export async function readReports(
  directory: string,
  globs: readonly string[],
): Promise<Report[]> {
  const root = await realpath(directory);
  const reports = new Map<string, Report>();
  let total = 0;
  for await (const match of glob([...globs], { cwd: root })) {
    const file = await realpath(path.resolve(root, match)).catch(() => '');
    if (!file.startsWith(root + path.sep) || reports.has(file)) {
      continue;
    }
    const { size, isFile } = await statOf(file);
    if (!isFile) {
      continue;
    }
    if (size > MAX_BYTES) {
      throw new ReportError(`${match} is larger than ${MAX_BYTES} bytes`);
    }
    total += size;
    if (total > MAX_TOTAL_BYTES) {
      throw new ReportError(
        `The reports are larger than ${MAX_TOTAL_BYTES} bytes together`,
      );
    }
    if (reports.size === MAX_FILES) {
      throw new ReportError(`There are more than ${MAX_FILES} reports`);
    }
    reports.set(file, { path: match, text: await readFile(file, 'utf8') });
  }
  return [...reports.values()];
}

async function statOf(
  file: string,
): Promise<{ size: number; isFile: boolean }> {
  const found = await stat(file);
  return { size: found.size, isFile: found.isFile() };
}
