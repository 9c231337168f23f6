import { Readable } from 'node:stream';
import { UrlReaderService } from '@backstage/backend-plugin-api';
import { BoundedUrlReader } from './BoundedUrlReader';

const URL_ = 'https://github.com/acme/shop/blob/main/catalog-info.yaml';
const PATTERN = 'https://github.com/acme/shop/blob/main/*/catalog-info.yaml';

/** Creates the reader of an integration, which applies its own rules. */
function readerOf(stream: () => Readable) {
  const asked: AbortSignal[] = [];
  const reader: UrlReaderService = {
    readUrl: async (_url, options) => {
      asked.push(options!.signal as unknown as AbortSignal);
      return { buffer: async () => Buffer.alloc(0), stream };
    },
    search: async () => ({ files: [], etag: 'of-the-pattern' }),
    readTree: async () => {
      throw new Error('not asked');
    },
  };
  const bounded = new BoundedUrlReader({
    reader,
    patterns: new Set([PATTERN, URL_]),
  });
  return { asked, bounded };
}

describe('BoundedUrlReader', () => {
  it('stops reading an endless file, and closes its connection', async () => {
    const endless = Readable.from(
      (function* chunks() {
        for (;;) {
          yield Buffer.alloc(64 * 1024);
        }
      })(),
    );
    const { asked, bounded } = readerOf(() => endless);
    await expect(bounded.search(URL_)).rejects.toThrow(
      'is larger than 1048576 bytes',
    );
    expect(endless.destroyed).toBe(true);
    expect(asked[0].aborted).toBe(true);
  });

  it('detects unchanged content if the server does not', async () => {
    const { bounded } = readerOf(() => Readable.from([Buffer.from('a: 1')]));
    const first = await bounded.search(URL_);
    expect((await first.files[0].content()).toString()).toBe('a: 1');
    await expect(
      bounded.search(URL_, { etag: first.etag }),
    ).rejects.toMatchObject({ name: 'NotModifiedError' });
  });

  it('reads a configured file as a file, as few readers can search', async () => {
    const { asked, bounded } = readerOf(() => Readable.from([]));
    expect((await bounded.search(URL_)).files).toHaveLength(1);
    expect(asked).toHaveLength(1);
  });

  it('searches for configured patterns only', async () => {
    const { bounded } = readerOf(() => Readable.from([]));
    expect((await bounded.search(PATTERN)).etag).toBe('of-the-pattern');
    for (const url of [`${PATTERN}2`, PATTERN.replace('*', '%2A')]) {
      await expect(bounded.search(url)).rejects.toThrow('must name one file');
    }
  });
});
