import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const compressText = promisify(brotliCompress);

/** Minimum size of a file to compress: smaller responses consist mostly of headers. */
const MINIMUM_BYTES = 1_024;
const AT_ONCE = 2;

/**
 * Writes a compressed copy, `<name>.br`, of each script and style sheet, which the backend sends as
 * is. Otherwise it would compress each response again, with a faster setting and a result that is a
 * sixth larger.
 *
 * @param dist - absolute path of the built app.
 * @param first - files that every page loads, relative to `dist`: compressed with the best quality,
 *   which takes twice as long as the next.
 */
export async function compress(
  dist: string,
  first: readonly string[],
): Promise<void> {
  const waiting = readdirSync(path.join(dist, 'static'))
    .filter(name => /\.(?:js|css)$/.test(name))
    .map(name => `static/${name}`);
  const work = async () => {
    for (let file = waiting.pop(); file; file = waiting.pop()) {
      await compressFile(path.join(dist, file), first.includes(file) ? 11 : 10);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function compressFile(file: string, quality: number): Promise<void> {
  const content = readFileSync(file);
  if (content.length < MINIMUM_BYTES) {
    return;
  }
  const compressed = await compressText(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
  writeFileSync(`${file}.br`, compressed);
}
