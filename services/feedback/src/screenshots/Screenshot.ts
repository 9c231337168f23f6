import {
  InvalidRequestError,
  PayloadTooLargeError,
} from '@slipway/service-kit';
import { fileTypeFromBuffer } from 'file-type';

/** An image as it is stored and served. */
export interface Screenshot {
  /** Media type, by the bytes. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** Types that browsers show and that cannot hold a script. */
const TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const MAXIMUM_BYTES = 5 * 1024 * 1024;
/** Base64 takes four characters for three bytes. */
const MAXIMUM_CHARACTERS = Math.ceil(MAXIMUM_BYTES / 3) * 4;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Reads the image of a submission: base64, in one line or in many, with or without
 * `data:image/…;base64,` before it. What it is, its bytes say, not the one who sent it.
 *
 * @throws PayloadTooLargeError when it has more than 5 MiB.
 * @throws InvalidRequestError when it is no PNG, JPEG, GIF or WebP.
 */
export async function readScreenshot(text: string): Promise<Screenshot> {
  const encoded = text
    .replace(/^data:[\w.+/-]{0,64};base64,/, '')
    // `base64` and MIME break lines.
    .replace(/[\r\n]+/g, '');
  if (encoded.length > MAXIMUM_CHARACTERS) {
    throw tooLarge();
  }
  if (!BASE64.test(encoded) || encoded.length % 4 === 1) {
    throw notAnImage('screenshot must be base64');
  }
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length > MAXIMUM_BYTES) {
    throw tooLarge();
  }
  const type = (await typeOf(bytes)) ?? '';
  if (!TYPES.has(type)) {
    throw notAnImage('screenshot must be a PNG, JPEG, GIF or WebP image');
  }
  return { type, bytes };
}

async function typeOf(bytes: Buffer): Promise<string | undefined> {
  try {
    const mime = (await fileTypeFromBuffer(bytes))?.mime;
    // An animated PNG is one for whoever does not know of them.
    return mime === 'image/apng' ? 'image/png' : mime;
  } catch {
    // Begins as an image and ends too early.
    return undefined;
  }
}

function tooLarge(): PayloadTooLargeError {
  return new PayloadTooLargeError('screenshot must be at most 5 MiB', {
    field: 'screenshot',
    constraint: 'maxLength',
  });
}

function notAnImage(message: string): InvalidRequestError {
  return new InvalidRequestError(message, {
    field: 'screenshot',
    constraint: 'format',
  });
}
