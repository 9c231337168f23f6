import { finished, type Readable, Transform } from 'node:stream';
import type { FastifyRequest, preParsingHookHandler } from 'fastify';
import { PayloadTooLargeError } from '../errors/ServiceError.ts';
import { JsonCounter, tooMany } from './scanJson.ts';
import type { BodyBounds, ServiceApp } from './ServiceApp.ts';
import { isPacked, unpackGzip, unpackStart } from './unpackGzip.ts';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/** Minimum average bytes per element: JSON with shorter elements is designed to use up memory. */
const BYTES_PER_ELEMENT = 8;

/** Methods whose bodies Fastify never reads. */
const BODYLESS = new Set(['GET', 'HEAD', 'TRACE']);

/** Returns the limits of a request, given what is known about its caller at this point. */
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
 * Applies a lower body limit to anonymous callers than to authenticated ones: before the body is
 * read, or, without a Content-Length, while it arrives.
 */
export function boundBodies(app: ServiceApp): void {
  app.decorateRequest('isSenderKnown', false);
  app.decorateRequest('receivedBytes', 0);
  const bound: preParsingHookHandler = (request, _reply, payload, done) => {
    const length = request.headers['content-length'];
    const hasBody =
      length !== undefined || 'transfer-encoding' in request.headers;
    if (!hasBody || request.caller.kind !== 'anonymous') {
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
  };
  // Only for routes whose methods have a body that is read.
  app.addHook('onRoute', route => {
    if (![route.method].flat().every(method => BODYLESS.has(method))) {
      route.preParsing = [bound, ...[route.preParsing ?? []].flat()];
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
  // Not `pipeline`: it would close the connection before the response is sent.
  payload.once('error', error => bounded.destroy(error));
  return payload.pipe(bounded);
}

/** Number of characters at the start of a body that are searched for its sender. */
const START_CHARACTERS = 16 * 1024;

/** Bodies up to this size are read as a whole before they are counted. */
const SHORT_BYTES = START_CHARACTERS;

/** Number of unpacked bytes between two checks of the element count. */
const COUNTED_BYTES = 64 * 1024;

/** Options for receiving a JSON body. */
interface ReceiveOptions {
  /** True if bodies may be gzipped; the sender is then recognized first. */
  gzip: boolean;
  /** True if deep nesting is accepted. */
  anyDepth?: boolean;
  /** Extracts the JSON from an unpacked body; the result may be gzipped again. */
  decode?: (request: FastifyRequest, body: Buffer) => Buffer;
}

/** An unpacked body. */
interface ReceivedBody {
  json: Buffer;
  /** Maximum nesting depth of objects and arrays. */
  depth: number;
}

/**
 * Reads a JSON body. Until the route has recognized the sender, it is read and unpacked only up to
 * the limits for unknown senders. Elements and depth are counted while it arrives: a body that
 * exceeds them is rejected immediately, without buffering the rest.
 *
 * @throws PayloadTooLargeError if it is larger than its sender may send.
 * @throws InvalidRequestError if it is nested too deeply, or not encoded as its headers claim.
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
  const arriving =
    length <= SHORT_BYTES
      ? [await readWhole(payload)]
      : // The connection is still needed for the response if the loop is left early.
        payload.iterator({ destroyOnReturn: false });
  const chunks: Buffer[] = [];
  for await (const chunk of arriving) {
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

/**
 * Reads a stream to its end. Iterating over the stream would cost more than a short body itself.
 */
function readWhole(payload: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    payload.on('data', (chunk: Buffer) => chunks.push(chunk));
    // Also called if the connection closed earlier, or closes without an error.
    finished(payload, { writable: false }, error => {
      if (error) {
        reject(error);
      } else {
        resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
      }
    });
  });
}

/** Returns the error for a body that exceeds the current limit, or undefined. */
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

/**
 * Creates a function that lets the route recognize the sender by the start of the body, at most
 * once.
 */
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
