import { type Readable, Transform } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { PayloadTooLargeError } from '../errors/ServiceError.ts';
import { JsonCounter, tooMany } from './scanJson.ts';
import type { BodyBounds, ServiceApp } from './ServiceApp.ts';
import { isPacked, unpackGzip, unpackStart } from './unpackGzip.ts';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/** JSON in which elements are shorter on average is made to cost memory. */
const BYTES_PER_ELEMENT = 8;

/** The bounds of one request, by what is known of its caller so far. */
function boundsOf(request: FastifyRequest): BodyBounds {
  const { bodyLimit = MEBIBYTE, config } = request.routeOptions;
  const isKnown = request.isSenderKnown || request.caller.kind !== 'anonymous';
  const {
    unpacked = isKnown ? bodyLimit : Math.min(bodyLimit, MEBIBYTE),
    packed = isKnown ? bodyLimit : Math.min(bodyLimit, 64 * KIBIBYTE),
    elements = Math.ceil(unpacked / BYTES_PER_ELEMENT),
  } = (!isKnown && config.body?.untrusted) || {};
  return { packed, unpacked, elements };
}

/**
 * Refuses larger bodies of callers who are not known than of those who are, before they
 * are read, or while they are where they come without a length.
 */
export function boundBodies(app: ServiceApp): void {
  app.decorateRequest('isSenderKnown', false);
  app.decorateRequest('receivedBytes', 0);
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const length = request.headers['content-length'];
    const hasBody =
      length !== undefined || 'transfer-encoding' in request.headers;
    if (!hasBody || request.caller.kind !== 'anonymous' || request.is404) {
      done(null, payload);
      return;
    }
    const { bodyLimit = MEBIBYTE, config } = request.routeOptions;
    const { unpacked } = boundsOf(request);
    if (config.body?.recognize || unpacked >= bodyLimit) {
      done(null, payload);
    } else if (length === undefined) {
      done(null, boundedStream(payload, unpacked));
    } else if (Number(length) > unpacked) {
      done(new PayloadTooLargeError());
    } else {
      done(null, payload);
    }
  });
}

function boundedStream(payload: Readable, limit: number): Readable {
  let received = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      done(received > limit ? new PayloadTooLargeError() : null, chunk);
    },
  });
  // No pipeline: it would end the connection before the answer.
  payload.once('error', error => bounded.destroy(error));
  return payload.pipe(bounded);
}

/** Characters of a body that its sender is looked for in. */
const START_CHARACTERS = 16 * 1024;

/** Bytes of an unpacked body between two looks at how many elements it has. */
const COUNTED_BYTES = 64 * 1024;

/** How a body of JSON is received. */
interface ReceiveOptions {
  /** True where bodies may be gzipped; the sender is then checked first as well. */
  gzip: boolean;
  /** True where deep nesting is accepted. */
  anyDepth?: boolean;
  /** Finds the JSON in an unpacked body, which may again be packed in there. */
  decode?: (request: FastifyRequest, body: Buffer) => Buffer;
}

/** A body, unpacked. */
interface ReceivedBody {
  json: Buffer;
  /** Objects and arrays within each other. */
  depth: number;
}

/**
 * Reads a body of JSON. It is read, and unpacked, no further than the bounds of an unknown
 * sender until the route has recognized who sends it. Elements and depth are counted while
 * it arrives: a body that is refused for them is neither kept nor awaited.
 *
 * @throws PayloadTooLargeError when it is larger than its sender may send.
 * @throws InvalidRequestError when it is nested too deeply, or not packed as its headers say.
 */
export async function receiveBody(
  request: FastifyRequest,
  payload: Readable,
  options: ReceiveOptions,
): Promise<ReceivedBody> {
  const { gzip, decode } = options;
  const encoding = gzip ? request.headers['content-encoding'] : undefined;
  const recognizeBy = recognizerOf(request, { gzip });
  const length = Number(request.headers['content-length']);
  if (!gzip && length > boundsOf(request).unpacked) {
    throw new PayloadTooLargeError();
  }
  const packed = (start: Buffer) => gzip && isPacked(start, encoding);
  const counter = new JsonCounter(options);
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
  const unpacked = packed(body)
    ? await unpackCounted(request, body, options)
    : { json: body, depth: counter.deepest };
  const decoded = decode?.(request, unpacked.json) ?? unpacked.json;
  if (decoded === unpacked.json) {
    return unpacked;
  }
  return isPacked(decoded)
    ? unpackCounted(request, decoded, options)
    : countWhole(request, decoded, options);
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
  options: ReceiveOptions,
): Promise<ReceivedBody> {
  const { unpacked } = boundsOf(request);
  return countWhole(request, await unpackGzip(packed, unpacked), options);
}

function countWhole(
  request: FastifyRequest,
  json: Buffer,
  options: ReceiveOptions,
): ReceivedBody {
  const { elements } = boundsOf(request);
  const counter = new JsonCounter(options);
  for (let start = 0; start < json.length; start += COUNTED_BYTES) {
    counter.take(json.subarray(start, start + COUNTED_BYTES));
    if (counter.elements > elements) {
      throw tooMany(elements);
    }
  }
  return { json, depth: counter.deepest };
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
