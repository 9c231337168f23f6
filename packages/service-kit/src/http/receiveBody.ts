import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { PayloadTooLargeError } from '../errors/ServiceError.ts';
import { boundsOf } from './bodyBounds.ts';
import { JsonCounter, tooMany } from './scanJson.ts';
import { isPacked, unpackGzip, unpackStart } from './unpackGzip.ts';

/** Characters of a body that its sender is looked for in. */
const START_CHARACTERS = 16 * 1024;

/** Bytes of an unpacked body between two looks at how many elements it has. */
const COUNTED_BYTES = 64 * 1024;

/**
 * Reads a body of JSON. It is read, and unpacked, no further than the bounds of an unknown
 * sender until the route has recognized who sends it. Elements and depth are counted while
 * it arrives: a body that is refused for them is neither kept nor awaited.
 *
 * @param options.gzip - whether it may be packed; then the route is asked, too.
 * @throws PayloadTooLargeError when it is larger than its sender may send.
 * @throws InvalidRequestError when it is nested too deeply, or not packed as its headers say.
 */
export async function receiveBody(
  request: FastifyRequest,
  payload: Readable,
  { gzip }: { gzip: boolean },
): Promise<Buffer> {
  const encoding = gzip ? request.headers['content-encoding'] : undefined;
  const recognizeBy = recognizerOf(request, { gzip });
  const length = Number(request.headers['content-length']);
  if (!gzip && length > boundsOf(request).unpacked) {
    throw new PayloadTooLargeError();
  }
  const packed = (start: Buffer) => gzip && isPacked(start, encoding);
  const counter = new JsonCounter();
  const chunks: Buffer[] = [];
  // Whoever leaves the loop early still answers over the connection.
  for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    request.receivedBytes += chunk.length;
    const isPlain = !packed(chunks[0]);
    if (isPlain && !request.is404) {
      counter.take(chunk);
    }
    if (excess(request, counter, isPlain)) {
      await recognizeBy(Buffer.concat(chunks), encoding);
      const error = excess(request, counter, isPlain);
      if (error) {
        throw error;
      }
    }
  }
  const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
  await recognizeBy(body, encoding);
  return packed(body) ? unpackCounted(request, body) : body;
}

/** The error of a body that is larger by now than what is known of its sender allows. */
function excess(
  request: FastifyRequest,
  { elements }: JsonCounter,
  isPlain: boolean,
): PayloadTooLargeError | undefined {
  const bounds = boundsOf(request);
  if (request.receivedBytes > (isPlain ? bounds.unpacked : bounds.packed)) {
    return new PayloadTooLargeError();
  }
  return elements > bounds.elements ? tooMany(bounds.elements) : undefined;
}

async function unpackCounted(
  request: FastifyRequest,
  packed: Buffer,
): Promise<Buffer> {
  const { unpacked, elements } = boundsOf(request);
  const body = await unpackGzip(packed, unpacked);
  const counter = new JsonCounter();
  for (let start = 0; start < body.length; start += COUNTED_BYTES) {
    counter.take(body.subarray(start, start + COUNTED_BYTES));
    if (counter.elements > elements) {
      throw tooMany(elements);
    }
  }
  return body;
}

/** Asks the route at most once who sends a body, by its start. */
function recognizerOf(request: FastifyRequest, { gzip }: { gzip: boolean }) {
  let { recognize } = (gzip && request.routeOptions.config.body) || {};
  return async (body: Buffer, encoding: string | undefined): Promise<void> => {
    if (!recognize || request.caller.kind !== 'anonymous') {
      return;
    }
    const ask = recognize;
    recognize = undefined;
    const start = isPacked(body, encoding) ? await unpackStart(body) : body;
    const text = start.subarray(0, START_CHARACTERS).toString();
    request.isSenderKnown = await ask(request, text);
  };
}
