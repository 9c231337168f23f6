import { type Readable, Transform } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { PayloadTooLargeError } from '../errors/ServiceError.ts';
import type { BodyBounds, ServiceApp } from './ServiceApp.ts';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/** JSON in which elements are shorter on average is made to cost memory. */
const BYTES_PER_ELEMENT = 8;

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
