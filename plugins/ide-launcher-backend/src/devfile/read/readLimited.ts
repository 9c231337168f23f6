import { addAbortSignal, Readable } from 'node:stream';

/**
 * Reads a body, giving up as soon as it exceeds the limit: what a server
 * says about its length is not believed.
 *
 * @returns The bytes, or null when there are more than `maxBytes`.
 */
export async function readLimited(
  body: Readable,
  options: { maxBytes: number; signal: AbortSignal },
): Promise<Buffer | null> {
  const stream = addAbortSignal(options.signal, body);
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop early destroys the stream, and with it the connection.
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > options.maxBytes) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
