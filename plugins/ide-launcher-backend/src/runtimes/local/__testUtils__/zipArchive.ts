import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** Files by name; with a mode if it matters. */
type ArchivedFiles = Record<string, string | Buffer | [string, number]>;

/** Creates a zip archive as an ordinary program would. */
export async function zipArchive(files: ArchivedFiles): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, file] of Object.entries(files)) {
    const [content, mode] = Array.isArray(file) ? file : [file, 0o100644];
    if (name.endsWith('/')) {
      zip.addEmptyDirectory(name);
    } else {
      zip.addBuffer(Buffer.from(content), name, { mode });
    }
  }
  zip.end();
  return buffer(zip.outputStream);
}

/**
 * Returns the archive with a name replaced by another one of the same length, to bypass checks of
 * the writer.
 */
export function renamed(archive: Buffer, from: string, to: string): Buffer {
  if (from.length !== to.length) {
    throw new Error('A name of another length would move what follows it');
  }
  return Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1');
}
