import { realpathSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '@backstage/errors';

/** Matches characters of glob patterns. Backstage expands them, so they could reveal which files exist. */
const PATTERN_CHARACTERS = /[*?[\]{}()!+@]/;

/** Decides which files of the portal's machine may be descriptors. */
export class FileTargets {
  readonly #folders: readonly string[];

  /** @param folders - absolute paths; if empty, no files are allowed. */
  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /**
   * Resolves the file of a target: an absolute path, or one relative to a configured folder.
   *
   * @returns its absolute path.
   * @throws InputError if it is outside the folders, even through a link, or not a file.
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
        await this.#assertWithin(this.#folders, file, target);
        return file;
      }
    }
    throw outside(target);
  }

  /**
   * Resolves a file that a descriptor refers to, relative to the descriptor. A descriptor in a configured
   * folder may only refer to files in that folder; all others are the operator's and may refer to any.
   *
   * @param descriptor - absolute path.
   * @returns the absolute path.
   * @throws InputError if it is outside the folder, even through a link, or not a file.
   */
  async resolveBeside(descriptor: string, target: string): Promise<string> {
    const file = path.resolve(path.dirname(descriptor), target);
    const real = await realpath(descriptor).catch(() => descriptor);
    for (const folder of this.#folders) {
      const isRegistered = [descriptor, real].some(
        place => isWithin(folder, place) || isWithin(realFolder(folder), place),
      );
      if (isRegistered) {
        return this.#assertWithin([folder], file, target);
      }
    }
    return file;
  }

  /** Makes the paths of files in a text relative to their configured folder, as callers send them. */
  shorten(text: string): string {
    return this.#folders.reduce(
      (short, folder) => short.replaceAll(folder + path.sep, ''),
      text,
    );
  }

  /** Describes a location, `file:…` or `url:…`, without revealing its path on this machine. */
  shortenRef(locationRef: string): string {
    const short = this.shorten(locationRef);
    return short.startsWith(`file:${path.sep}`)
      ? 'a file of the configuration'
      : short;
  }

  /** Returns a path with links resolved. @throws InputError if it is not a file in one of the folders. */
  async #assertWithin(
    folders: readonly string[],
    file: string,
    target: string,
  ): Promise<string> {
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
    if (!folders.some(folder => isWithin(realFolder(folder), real))) {
      throw outside(target);
    }
    return real;
  }
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
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
