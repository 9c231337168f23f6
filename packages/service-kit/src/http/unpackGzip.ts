import { promisify } from 'node:util';
import { constants, gunzip } from 'node:zlib';
import pLimit from 'p-limit';
import {
  InvalidRequestError,
  PayloadTooLargeError,
} from '../errors/ServiceError.ts';

const gunzipAsync = promisify(gunzip);

/**
 * Maximum number of bodies unpacked concurrently, which bounds the memory that zip bombs can use.
 */
const UNPACKED_AT_ONCE = 4;

/** Packed bytes that the start is read from; unpacking multiplies them by at most 1,032. */
const START_BYTES = 1_024;

const limited = pLimit(UNPACKED_AT_ONCE);

/**
 * Checks whether a body is gzipped, by its header or its first bytes: SDKs in browsers send it as
 * plain text to avoid a preflight.
 *
 * @param encoding - the `Content-Encoding` of the request.
 * @throws InvalidRequestError if it has another encoding.
 */
export function isPacked(start: Buffer, encoding = 'identity'): boolean {
  const name = encoding.trim().toLowerCase();
  if (name !== 'gzip' && name !== 'identity' && name !== '') {
    throw new InvalidRequestError(
      'The Content-Encoding of the request is not supported',
      { field: 'content-encoding', constraint: 'enum' },
    );
  }
  return name === 'gzip' || (start[0] === 0x1f && start[1] === 0x8b);
}

/**
 * Unpacks gzip.
 *
 * @param limit - maximum bytes of the result; unpacking stops there.
 * @throws PayloadTooLargeError if the result would be larger.
 * @throws InvalidRequestError if the body is not valid gzip.
 */
export async function unpackGzip(body: Buffer, limit: number): Promise<Buffer> {
  try {
    return await limited(() => gunzipAsync(body, { maxOutputLength: limit }));
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? new PayloadTooLargeError()
      : notGzip(cause);
  }
}

/**
 * Unpacks the first kibibyte of gzip, as far as possible.
 *
 * @throws InvalidRequestError if the body is not valid gzip.
 */
export async function unpackStart(body: Buffer): Promise<Buffer> {
  try {
    return await gunzipAsync(body.subarray(0, START_BYTES), {
      finishFlush: constants.Z_SYNC_FLUSH,
    });
  } catch (cause) {
    throw notGzip(cause);
  }
}

function notGzip(cause: unknown): InvalidRequestError {
  return new InvalidRequestError('The request body is not valid gzip', {
    field: 'body',
    constraint: 'format',
    cause,
  });
}
