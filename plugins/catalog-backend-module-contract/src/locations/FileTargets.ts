import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '@backstage/errors';

/** Backstage reads targets as patterns, with which one could look around. */
const PATTERN_CHARACTERS = /[*?[\]{}()!+@]/;

/** Decides which files of the portal's machine may be descriptors. */
export class FileTargets {
  readonly #folders: readonly string[];

  /** @param folders - absolute paths; none forbids files altogether. */
  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /**
   * Finds the file that a target names: an absolute path, or one relative to a
   * configured folder.
   *
   * @returns its absolute path.
   * @throws InputError when it is outside the folders, by a link too, or no file.
   */
  async resolve(target: string): Promise<string> {
    if (this.#folders.length === 0) {
      throw new InputError(
        'type: file is not allowed here; register the descriptor by its url',
      );
    }
    if (PATTERN_CHARACTERS.test(target)) {
      throw new InputError('target must name one file, not a pattern');
    }
    for (const folder of this.#folders) {
      const file = path.resolve(folder, target);
      if (isWithin(folder, file)) {
        await this.#assertInside(file, target);
        return file;
      }
    }
    throw outside(target);
  }

  /** Names files in a text as they were sent: relative to their folder. */
  shorten(text: string): string {
    return this.#folders.reduce(
      (short, folder) => short.replaceAll(folder + path.sep, ''),
      text,
    );
  }

  /** Names a location, `file:…` or `url:…`, without saying where on the machine it is. */
  shortenRef(locationRef: string): string {
    const short = this.shorten(locationRef);
    return short.startsWith(`file:${path.sep}`)
      ? 'a file of the configuration'
      : short;
  }

  async #assertInside(file: string, target: string): Promise<void> {
    let real: string;
    try {
      real = await realpath(file);
      if (!(await stat(real)).isFile()) {
        throw new Error('not a file');
      }
    } catch {
      throw new InputError(
        `The descriptor cannot be read: there is no file ${target}`,
      );
    }
    const folders = await Promise.all(
      this.#folders.map(folder => realpath(folder).catch(() => folder)),
    );
    if (!folders.some(folder => isWithin(folder, real))) {
      throw outside(target);
    }
  }
}

function isWithin(folder: string, file: string): boolean {
  const way = path.relative(folder, file);
  return way !== '' && !way.startsWith('..') && !path.isAbsolute(way);
}

function outside(target: string): InputError {
  return new InputError(
    `${target} is outside the folders from which files may be registered`,
  );
}
