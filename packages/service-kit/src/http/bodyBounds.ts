import { type Readable, Transform } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { PayloadTooLargeError } from '../errors/index.ts';
import type { ServiceApp } from './ServiceApp.ts';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/** JSON in which elements are shorter on average is made to cost memory. */
const BYTES_PER_ELEMENT = 8;

/** How much of a request body is read, unpacked and parsed, at most. */
export interface BodyBounds {
  /** Bytes of a body that is packed with gzip. */
  packed: number;
  /** Bytes of a body that is not packed, and of what a packed one becomes. */
  unpacked: number;
  /** Members of objects and elements of arrays in JSON. */
  elements: number;
}

/** The `config.body` of a route. */
export interface BodyOptions {
  /**
   * How much of a body is taken from callers without a credential; the `bodyLimit` of the
   * route is for those who are known. 64 KiB packed, 1 MiB unpacked and an element for
   * every 8 bytes of that, where it is left out.
   */
  untrusted?: Partial<BodyBounds>;
  /**
   * Knows the sender by the start of the unpacked body, for credentials that are within
   * it; asked once, before the rest is unpacked, where the parser is `acceptJson` with
   * `gzip`. What it throws is the answer.
   *
   * @returns whether the sender is known: the body may then be as large as `bodyLimit`.
   */
  recognize?: (request: FastifyRequest, start: string) => Promise<boolean>;
}

/** The bounds of one request, by what is known of its caller so far. */
export function boundsOf(request: FastifyRequest): BodyBounds {
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
  app.addHook('preParsing', (request, reply, payload, done) => {
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
      // What is still to come is not read.
      reply.header('connection', 'close');
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
