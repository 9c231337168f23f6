/** What the list at the end of an archive says of one entry. */
interface ArchiveEntry {
  /** Relative, with slashes; ends in one for a folder. */
  fileName: string;
  /** In bytes, as declared; reading fails where it is not true. */
  uncompressedSize: number;
  /** The upper half holds a Unix mode, where the archive was made by such a system. */
  externalFileAttributes: number;
}

/** A file to write. */
interface PlannedFile<Entry> {
  entry: Entry;
  /** Relative to the project's folder. */
  path: string;
  executable: boolean;
}

/** What of an archive becomes a project. */
export interface ExtractionPlan<Entry> {
  files: PlannedFile<Entry>[];
  folders: string[];
  /** Links and other things that are neither file nor folder. */
  leftOut: number;
}

/** Where an archive ends to be one that somebody packed in earnest. */
export interface ArchiveLimits {
  /** Of all files together. */
  maxBytes: number;
  maxEntries: number;
}

/** An archive of sources grows to a few times its size; one that is made to fill a disk to a thousand times. */
const MAX_GROWTH = 100;
/** Up to here the growth does not matter. */
const SMALL_BYTES = 32 * 1024 ** 2;

const FILE_TYPE = 0o170000;
const REGULAR_FILE = 0o100000;
const FOLDER = 0o040000;
const ANY_EXECUTABLE = 0o111;

/**
 * Decides what of an archive is written and where, before anything is. As the
 * DevWorkspace Operator does it, a single folder around everything is dropped.
 *
 * @param archiveBytes - size of the archive itself.
 * @returns a text when none of it is to be written, as the end of a sentence.
 */
export function planExtraction<Entry extends ArchiveEntry>(
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
    return 'it holds a file outside of its own folder';
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

/** The archive's reader refuses such names already; what is written depends on both. */
function leadsOut(fileName: string): boolean {
  return (
    /^(\/|[A-Za-z]:)|[\\\0]/.test(fileName) ||
    fileName.split('/').includes('..')
  );
}

function isFileOrFolder({ externalFileAttributes }: ArchiveEntry): boolean {
  const type = unixMode(externalFileAttributes) & FILE_TYPE;
  // Archives of other systems say no type.
  return type === 0 || type === REGULAR_FILE || type === FOLDER;
}

function hasBits(entry: ArchiveEntry, bits: number): boolean {
  return (unixMode(entry.externalFileAttributes) & bits) !== 0;
}

function unixMode(externalFileAttributes: number): number {
  return externalFileAttributes >>> 16;
}

/** The one folder that everything is in, with its slash; empty when there is none. */
function folderAround(entries: ArchiveEntry[]): string {
  const [first] = entries;
  const end = first ? first.fileName.indexOf('/') : -1;
  const folder = first?.fileName.slice(0, end + 1) ?? '';
  return folder && entries.every(({ fileName }) => fileName.startsWith(folder))
    ? folder
    : '';
}
