import { createWriteStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Entry, openPromise, ZipFile } from 'yauzl';

/** Maximum size of the names, comments and extra fields of all entries together, in bytes. */
const MAX_LIST_BYTES = 32 * 1024 ** 2;

/** Parameters of an extraction. */
interface ArchiveExtraction {
  archive: string;
  /** An empty folder that nothing else writes to. */
  folder: string;
  limits: ArchiveLimits;
  signal: AbortSignal;
}

/**
 * Extracts the files and folders of a zip archive into a folder. Creates no links, so that no
 * path in the folder leads out of it.
 *
 * @returns the number of skipped entries, which are neither; or why the archive cannot be
 * extracted, as the end of a sentence.
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
    return `it contains more than ${maxEntries} files`;
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
      // A duplicate name fails.
      createWriteStream(target, {
        flags: 'wx',
        mode: file.executable ? 0o700 : 0o600,
      }),
      { signal },
    );
  }
}

/**
 * Describes an error with the reader's message, but without that of a failed system call, which
 * contains a path of this machine.
 */
function describe(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  return 'code' in error ? String(error.code) : error.message.slice(0, 200);
}

/** One entry of the archive's central directory. */
interface ArchiveEntry {
  /** Relative, with slashes; ends in a slash for a folder. */
  fileName: string;
  /** The declared size in bytes; reading fails if it is wrong. */
  uncompressedSize: number;
  /** The upper half contains a Unix mode if the archive was created on such a system. */
  externalFileAttributes: number;
}

/** A file to write. */
interface PlannedFile<Entry> {
  entry: Entry;
  /** Relative to the project's folder. */
  path: string;
  executable: boolean;
}

/** The parts of an archive to extract. */
interface ExtractionPlan<Entry> {
  files: PlannedFile<Entry>[];
  folders: string[];
  /** Number of links and other entries that are neither files nor folders. */
  leftOut: number;
}

/** Limits beyond which an archive is considered malicious. */
interface ArchiveLimits {
  /** Total size of all files in bytes. */
  maxBytes: number;
  maxEntries: number;
}

/** Maximum expansion factor; source code expands to a few times its archive, a zip bomb to a thousand. */
const MAX_GROWTH = 100;
/** Below this size, the expansion factor is not checked. */
const SMALL_BYTES = 32 * 1024 ** 2;

const FILE_TYPE = 0o170000;
const REGULAR_FILE = 0o100000;
const FOLDER = 0o040000;
const ANY_EXECUTABLE = 0o111;

/**
 * Plans which parts of an archive are written and where, before anything is written. Like in the
 * DevWorkspace Operator, a single top-level folder is stripped.
 *
 * @param archiveBytes - size of the archive itself.
 * @returns the plan, or the reason why nothing may be written, as the end of a sentence.
 */
function planExtraction<Entry extends ArchiveEntry>(
  entries: Entry[],
  archiveBytes: number,
  limits: ArchiveLimits,
): ExtractionPlan<Entry> | string {
  const total = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (total > limits.maxBytes) {
    return `it is larger than ${Math.round(limits.maxBytes / 1024 ** 2)} MiB`;
  }
  if (total > SMALL_BYTES && total > archiveBytes * MAX_GROWTH) {
    return `it grows to more than ${MAX_GROWTH} times its size`;
  }
  if (entries.some(({ fileName }) => leadsOut(fileName))) {
    return 'it contains a file outside its folder';
  }
  const kept = entries.filter(isFileOrFolder);
  const around = folderAround(kept);
  const inside = (name: string) => name.slice(around.length);
  return {
    files: kept
      .filter(({ fileName }) => !fileName.endsWith('/'))
      .map(entry => ({
        entry,
        path: inside(entry.fileName),
        executable: hasBits(entry, ANY_EXECUTABLE),
      })),
    folders: kept
      .map(({ fileName }) => fileName)
      .filter(name => name.endsWith('/') && name !== around)
      .map(inside),
    leftOut: entries.length - kept.length,
  };
}

/**
 * Returns whether a name leads out of the folder. The archive's reader already rejects such
 * names; this is a second safeguard.
 */
function leadsOut(fileName: string): boolean {
  return (
    /^(\/|[A-Za-z]:)|[\\\0]/.test(fileName) ||
    fileName.split('/').includes('..')
  );
}

function isFileOrFolder({ externalFileAttributes }: ArchiveEntry): boolean {
  const type = unixMode(externalFileAttributes) & FILE_TYPE;
  // Archives of other systems have no type.
  return type === 0 || type === REGULAR_FILE || type === FOLDER;
}

function hasBits(entry: ArchiveEntry, bits: number): boolean {
  return (unixMode(entry.externalFileAttributes) & bits) !== 0;
}

function unixMode(externalFileAttributes: number): number {
  return externalFileAttributes >>> 16;
}

/** Returns the single top-level folder with its slash; empty if there is none. */
function folderAround(entries: ArchiveEntry[]): string {
  const [first] = entries;
  const end = first ? first.fileName.indexOf('/') : -1;
  const folder = first?.fileName.slice(0, end + 1) ?? '';
  return folder && entries.every(({ fileName }) => fileName.startsWith(folder))
    ? folder
    : '';
}
