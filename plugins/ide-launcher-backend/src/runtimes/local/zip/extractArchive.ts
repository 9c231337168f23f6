import { createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Entry, openPromise, ZipFile } from 'yauzl';
import {
  ArchiveLimits,
  ExtractionPlan,
  planExtraction,
} from './planExtraction';

/** Names, comments and extra fields of all entries together, in bytes. */
const MAX_LIST_BYTES = 32 * 1024 ** 2;

/** An archive to unpack. */
export interface ArchiveExtraction {
  archive: string;
  /** An empty folder that nobody else writes to. */
  folder: string;
  limits: ArchiveLimits;
  signal: AbortSignal;
}

/**
 * Writes the files and folders of a zip archive into a folder. No link is made,
 * so that no path in the folder leads out of it.
 *
 * @returns how many entries were left out, being neither; or why nothing is
 *   to be made of the archive, as the end of a sentence.
 * @throws the signal's reason when it aborts.
 */
export async function extractArchive(
  extraction: ArchiveExtraction,
): Promise<number | string> {
  const { archive, limits, signal } = extraction;
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(archive, { autoClose: false });
    const entries = await readEntries(zip, limits, signal);
    if (typeof entries === 'string') {
      return entries;
    }
    const { size } = await stat(archive);
    const plan = planExtraction(entries, size, limits);
    if (typeof plan === 'string') {
      return plan;
    }
    await write(zip, plan, extraction);
    return plan.leftOut;
  } catch (error) {
    signal.throwIfAborted();
    return `it cannot be unpacked: ${describe(error)}`;
  } finally {
    zip?.close();
  }
}

async function readEntries(
  zip: ZipFile,
  { maxEntries }: ArchiveLimits,
  signal: AbortSignal,
): Promise<Entry[] | string> {
  if (zip.entryCount > maxEntries) {
    return `it holds more than ${maxEntries} files`;
  }
  const entries: Entry[] = [];
  let listBytes = 0;
  for await (const entry of zip.eachEntry()) {
    signal.throwIfAborted();
    listBytes +=
      entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (listBytes > MAX_LIST_BYTES) {
      return 'its list of files is too long';
    }
    entries.push(entry);
  }
  return entries;
}

async function write(
  zip: ZipFile,
  { files, folders }: ExtractionPlan<Entry>,
  { folder, signal }: ArchiveExtraction,
): Promise<void> {
  for (const name of folders) {
    await mkdir(path.join(folder, name), { recursive: true, mode: 0o700 });
  }
  for (const file of files) {
    const target = path.join(folder, file.path);
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    await pipeline(
      await zip.openReadStreamPromise(file.entry),
      // A name that comes twice fails.
      createWriteStream(target, {
        flags: 'wx',
        mode: file.executable ? 0o700 : 0o600,
      }),
      { signal },
    );
  }
}

/** The reader's own words; those of a failed system call hold a path of this machine. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  return 'code' in error ? String(error.code) : error.message.slice(0, 200);
}
