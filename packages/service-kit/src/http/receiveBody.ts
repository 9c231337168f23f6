import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { PayloadTooLargeError } from '../errors/index.ts';
import { boundsOf } from './bodyBounds.ts';
import { isPacked, unpackGzip, unpackStart } from './unpackGzip.ts';

/** Characters of a body that its sender is looked for in. */
const START_CHARACTERS = 16 * 1024;

/**
 * Reads a body that may be packed. It is read, and unpacked, no further than the bounds of
 * an unknown sender until the route has recognized who sends it.
 *
 * @throws PayloadTooLargeError when it is larger than its sender may send.
 * @throws InvalidRequestError when it is not packed as its headers say.
 */
export async function receiveBody(
  request: FastifyRequest,
  payload: Readable,
): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  const recognizeBy = recognizerOf(request);
  const chunks: Buffer[] = [];
  let size = 0;
  // Whoever leaves the loop early still answers over the connection.
  for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > wireLimit(request, isPacked(chunks[0], encoding))) {
      await recognizeBy(Buffer.concat(chunks), encoding);
      if (size > wireLimit(request, isPacked(chunks[0], encoding))) {
        throw new PayloadTooLargeError();
      }
    }
  }
  const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
  await recognizeBy(body, encoding);
  return isPacked(body, encoding)
    ? unpackGzip(body, boundsOf(request).unpacked)
    : body;
}

function wireLimit(request: FastifyRequest, packed: boolean): number {
  const bounds = boundsOf(request);
  return packed ? bounds.packed : bounds.unpacked;
}

/** Asks the route at most once who sends a body, by its start. */
function recognizerOf(request: FastifyRequest) {
  let { recognize } = request.routeOptions.config.body ?? {};
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
