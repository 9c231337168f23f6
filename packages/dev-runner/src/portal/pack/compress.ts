import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const compressText = promisify(brotliCompress);

/** Minimum size of a file to compress: smaller responses consist mostly of headers. */
const MINIMUM_BYTES = 1_024;
/** Size from which files are compressed faster: few pages load them, such as viewers of API definitions. */
const LARGE_BYTES = 200_000;
const AT_ONCE = 2;

/**
 * Writes a compressed copy, `<name>.br`, of each script and style sheet, which the backend sends as
 * is. Otherwise it would compress each response again, with a faster setting and a result that is a
 * sixth larger.
 *
 * @param dist - absolute path of the built app.
 * @param first - files that every page loads, relative to `dist`: compressed best.
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
      await compressFile(path.join(dist, file), first.includes(file));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function compressFile(file: string, isFirst: boolean): Promise<void> {
  const content = readFileSync(file);
  if (content.length < MINIMUM_BYTES) {
    return;
  }
  const compressed = await compressText(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: qualityOf(content.length, isFirst),
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
  writeFileSync(`${file}.br`, compressed);
}

/**
 * Returns the Brotli quality for a file. 11, the best, takes twice as long as 10, which takes six times
 * as long as 9, whose results are 6% larger.
 */
function qualityOf(bytes: number, isFirst: boolean): number {
  if (isFirst) {
    return 11;
  }
  return bytes < LARGE_BYTES ? 10 : 9;
}
