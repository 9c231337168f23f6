import { Readable } from 'node:stream';
import { InputError } from '@backstage/errors';
import { GuardedFetch } from '../../../devfile/read/GuardedFetch';
import { ReadingRules } from '../../../devfile/read/ReadingRules';

/** Where archives come from. */
export interface ArchiveSource {
  /**
   * @returns the archive's bytes, or why it may not or cannot be read, as the end of a sentence.
   * @throws the signal's reason when it aborts.
   */
  open(address: string, signal: AbortSignal): Promise<Readable | string>;
}

/** Reads archives by the rules of devfiles, every redirect and address checked. */
export class RuledArchiveSource implements ArchiveSource {
  readonly #fetch: GuardedFetch;

  constructor(options: { rules: ReadingRules; ca?: string[] }) {
    this.#fetch = new GuardedFetch(options);
  }

  async open(address: string, signal: AbortSignal): Promise<Readable | string> {
    try {
      const { body } = await this.#fetch.get(new URL(address), signal);
      return body;
    } catch (error) {
      signal.throwIfAborted();
      return error instanceof InputError
        ? error.message
        : `${new URL(address).host} cannot be reached`;
    }
  }
}
