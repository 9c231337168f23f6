import { addAbortSignal } from 'node:stream';
import { UrlReaderServiceReadUrlResponse } from '@backstage/backend-plugin-api';

/**
 * Reads a response, giving up as soon as it exceeds the limit: what a server
 * says about its length is not believed.
 *
 * @returns The bytes, or null when there are more than `maxBytes`.
 */
export async function readLimited(
  response: UrlReaderServiceReadUrlResponse,
  options: { maxBytes: number; signal: AbortSignal },
): Promise<Buffer | null> {
  if (!response.stream) {
    const buffer = await response.buffer();
    return buffer.length > options.maxBytes ? null : buffer;
  }
  const stream = addAbortSignal(options.signal, response.stream());
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
