import type { IncomingHttpHeaders } from 'node:http';
import {
  pipeline,
  type Readable,
  Transform,
  type TransformCallback,
} from 'node:stream';
import { PayloadTooLargeError } from '@slipway/service-kit';

/** The most bytes of a body with a screenshot: 5 MiB in base64, and the rest. */
export const SCREENSHOT_BODY_LIMIT = 10 * 1024 * 1024;

interface Request {
  readonly headers: IncomingHttpHeaders;
  readonly body?: unknown;
}

/** Counts the bytes that pass. */
class ByteCounter extends Transform {
  receivedEncodedLength = 0;

  override _transform(
    chunk: Buffer,
    _encoding: BufferEncoding,
    done: TransformCallback,
  ): void {
    this.receivedEncodedLength += chunk.length;
    done(null, chunk);
  }
}

/**
 * Options of a route whose body may be as large as a screenshot where it holds one, and
 * else no larger than any other.
 *
 * @param limit - bytes of a body without a screenshot.
 */
export function boundBody(limit: number) {
  const counters = new WeakMap<Request, ByteCounter>();
  return {
    bodyLimit: Math.max(SCREENSHOT_BODY_LIMIT, limit),
    async preParsing(
      request: Request,
      _reply: unknown,
      payload: Readable,
    ): Promise<Readable> {
      if (request.headers['content-length'] !== undefined) {
        return payload;
      }
      const counter = new ByteCounter();
      counters.set(request, counter);
      // Whoever reads the counter hears of what goes wrong.
      return pipeline(payload, counter, () => undefined);
    },
    async preValidation(request: Request): Promise<void> {
      const { screenshot } = (request.body ?? {}) as { screenshot?: unknown };
      const length =
        counters.get(request)?.receivedEncodedLength ??
        Number(request.headers['content-length']);
      if (typeof screenshot !== 'string' && length > limit) {
        throw new PayloadTooLargeError();
      }
    },
  };
}
