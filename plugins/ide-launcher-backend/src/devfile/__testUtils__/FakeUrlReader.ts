import { Readable } from 'node:stream';
import {
  UrlReaderService,
  UrlReaderServiceReadUrlOptions,
  UrlReaderServiceReadUrlResponse,
} from '@backstage/backend-plugin-api';
import { NotAllowedError, NotFoundError } from '@backstage/errors';

/** A fake response: a body, a stream, or an error. */
export type FakeAnswer = string | Buffer | (() => Readable) | Error;

/** A URL reader with a table of responses; only hosts in the table are allowed. */
export class FakeUrlReader implements UrlReaderService {
  /** Addresses in the order in which they were read. */
  readonly read: string[] = [];
  readonly #answers: Map<string, FakeAnswer>;

  constructor(answers: Record<string, FakeAnswer>) {
    this.#answers = new Map(Object.entries(answers));
  }

  async readUrl(
    url: string,
    _options?: UrlReaderServiceReadUrlOptions,
  ): Promise<UrlReaderServiceReadUrlResponse> {
    this.read.push(url);
    const answer = this.#answers.get(url);
    if (answer instanceof Error) {
      throw answer;
    }
    if (answer === undefined) {
      const hosts = Array.from(this.#answers.keys(), key => new URL(key).host);
      throw hosts.includes(new URL(url).host)
        ? new NotFoundError(`could not read ${url}, 404 Not Found`)
        : new NotAllowedError(`Reading from '${url}' is not allowed.`);
    }
    const stream = () =>
      typeof answer === 'function' ? answer() : Readable.from([answer]);
    return { stream, buffer: async () => Buffer.from(String(answer)) };
  }

  async readTree(): Promise<never> {
    throw new Error('not used');
  }

  async search(): Promise<never> {
    throw new Error('not used');
  }
}
