import { UrlReaderService } from '@backstage/backend-plugin-api';
import { NotAllowedError, NotFoundError } from '@backstage/errors';

/** A URL reader with a table of descriptors by address. */
export class FakeUrlReader implements UrlReaderService {
  readonly #texts: Map<string, string>;

  constructor(texts: Record<string, string>) {
    this.#texts = new Map(Object.entries(texts));
  }

  /** Puts another text at an address. */
  set(url: string, text: string): void {
    this.#texts.set(url, text);
  }

  readonly search: UrlReaderService['search'] = async url => ({
    etag: '1',
    files: [{ url, content: async () => this.#read(url) }],
  });

  readonly readUrl: UrlReaderService['readUrl'] = async url => ({
    etag: '1',
    buffer: async () => this.#read(url),
  });

  readonly readTree: UrlReaderService['readTree'] = async url => {
    throw new NotFoundError(`${url} is no tree`);
  };

  #read(url: string): Buffer {
    if (!url.startsWith('https://git.example.org/')) {
      throw new NotAllowedError(
        `Reading from '${url}' is not allowed. You may need to configure an integration for the target host, or add it to the configured list of allowed hosts at 'backend.reading.allow'`,
      );
    }
    const text = this.#texts.get(url);
    if (text === undefined) {
      throw new NotFoundError(`could not read ${url}, 404 Not Found`);
    }
    return Buffer.from(text);
  }
}
