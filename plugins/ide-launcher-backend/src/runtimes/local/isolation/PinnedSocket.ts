import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/** Not among Node's constants: a file for its place alone, see open(2). */
// eslint-disable-next-line no-bitwise
const OPEN_PLACE = 0o10000000 | constants.O_NOFOLLOW;

/**
 * A Unix socket held by what it is, not by its name. The folder it lies in is
 * the workspace's: a name there may be made to lead to a neighbour's socket at
 * any time, and the portal would follow. Linux only.
 */
export class PinnedSocket {
  /** Where to connect; good until {@link close}. */
  readonly path: string;
  readonly #descriptor: number;
  #closed = false;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
    this.path = `/proc/self/fd/${descriptor}`;
  }

  /** @throws Error when there is no socket of that very name. */
  static open(file: string): PinnedSocket {
    const descriptor = openSync(file, OPEN_PLACE);
    if (!fstatSync(descriptor).isSocket()) {
      closeSync(descriptor);
      throw new Error('The workspace has no socket in the place for it');
    }
    return new PinnedSocket(descriptor);
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      closeSync(this.#descriptor);
    }
  }
}
