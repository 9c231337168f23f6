import { addAbortSignal, Readable, Transform } from 'node:stream';

/**
 * Reads a stream to its end; destroys it if it is too long or takes too long.
 *
 * @returns undefined if it is longer than `maxBytes`.
 * @throws the stream's error; AbortError if the signal aborts.
 */
export async function readWithin(
  stream: Readable,
  options: { maxBytes: number; signal: AbortSignal },
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop destroys the stream.
  for await (const chunk of addAbortSignal(options.signal, stream)) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > options.maxBytes) {
      return undefined;
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** Passes a stream through; fails both if it is longer than `maxBytes`. */
export function limited(
  stream: Readable,
  maxBytes: number,
  tooLong: () => Error,
): Readable {
  let size = 0;
  const passing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      done(size > maxBytes ? tooLong() : null, chunk);
    },
  });
  stream.on('error', error => passing.destroy(error));
  passing.on('close', () => stream.destroy());
  return stream.pipe(passing);
}
