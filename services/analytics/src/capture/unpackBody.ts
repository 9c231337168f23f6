import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import {
  InvalidRequestError,
  PayloadTooLargeError,
} from '@slipway/service-kit';

const gunzipAsync = promisify(gunzip);

/** So many bodies are unpacked at once: what a few bombs can take is bounded. */
const UNPACKED_AT_ONCE = 4;

let unpacking = 0;
const waiting: (() => void)[] = [];

/**
 * Unpacks a body that is gzip, by its header or by its first bytes: SDKs in browsers
 * send it as plain text, to spare themselves a preflight.
 *
 * @param options.limit - bytes of the unpacked body.
 * @throws PayloadTooLargeError where it unpacks to more.
 * @throws InvalidRequestError where it is no gzip, or packed in another way.
 */
export async function unpackBody(
  body: Buffer,
  options: { encoding: string | undefined; limit: number },
): Promise<Buffer> {
  const encoding = (options.encoding ?? 'identity').trim().toLowerCase();
  const looksPacked = body[0] === 0x1f && body[1] === 0x8b;
  if (encoding !== 'gzip' && encoding !== 'identity' && encoding !== '') {
    throw new InvalidRequestError(
      'The Content-Encoding of the request is not supported',
      { field: 'content-encoding', constraint: 'enum' },
    );
  }
  if (!looksPacked && encoding !== 'gzip') {
    return body;
  }
  await turn();
  try {
    return await gunzipAsync(body, { maxOutputLength: options.limit });
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? new PayloadTooLargeError()
      : new InvalidRequestError('The request body is not valid gzip', {
          field: 'body',
          constraint: 'format',
          cause,
        });
  } finally {
    const next = waiting.shift();
    if (next) {
      next();
    } else {
      unpacking -= 1;
    }
  }
}

async function turn(): Promise<void> {
  if (unpacking < UNPACKED_AT_ONCE) {
    unpacking += 1;
    return;
  }
  await new Promise<void>(resolve => {
    waiting.push(resolve);
  });
}
