import {
  InvalidRequestError,
  PayloadTooLargeError,
} from '@slipway/service-kit';
import { fileTypeFromBuffer } from 'file-type';
import { MalformedImageError } from './ImageCopy.ts';
import { IMAGE_TYPES, withoutMetadata } from './withoutMetadata.ts';

/** An image as it is stored and served. */
export interface Screenshot {
  /** Media type, determined from the bytes. */
  readonly type: string;
  readonly bytes: Buffer;
}

const MAXIMUM_BYTES = 5 * 1024 * 1024;
/** Base64 takes four characters for three bytes. */
const MAXIMUM_CHARACTERS = Math.ceil(MAXIMUM_BYTES / 3) * 4;
/** More pixels than any screen has; browsers need four bytes of memory for each. */
const MAXIMUM_PIXELS = 64_000_000;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Decodes the image of a submission: base64, with or without line breaks and a prefix
 * `data:image/…;base64,`. Its type is determined from the bytes, not from the prefix. Its metadata,
 * which may name places and people, is removed.
 *
 * @throws PayloadTooLargeError if it is larger than 5 MiB.
 * @throws InvalidRequestError if it is not a PNG, JPEG, GIF or WebP, or has too many pixels.
 */
export async function readScreenshot(text: string): Promise<Screenshot> {
  const encoded = text
    .replace(/^data:[\w.+/-]{0,64};base64,/, '')
    // The command `base64` and MIME insert line breaks.
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
  // Browsers display these types, and they cannot contain scripts.
  const image = IMAGE_TYPES.includes(type) && cleaned(bytes, type);
  if (!image) {
    throw notAnImage(
      'screenshot must be a PNG, JPEG, GIF or WebP image, or is damaged',
    );
  }
  if (image.size.width * image.size.height > MAXIMUM_PIXELS) {
    throw new InvalidRequestError(
      'screenshot must have at most 64 megapixels',
      {
        field: 'screenshot',
        constraint: 'maximum',
      },
    );
  }
  return { type, bytes: image.bytes };
}

/**
 * Returns the bytes of a stored screenshot without metadata, which earlier versions kept. A
 * malformed one is returned unchanged.
 */
export function servedBytes({ type, bytes }: Screenshot): Buffer {
  const image = IMAGE_TYPES.includes(type) && cleaned(bytes, type);
  return image ? image.bytes : bytes;
}

/** Returns the image without metadata; undefined if it is malformed. */
function cleaned(bytes: Buffer, type: string) {
  try {
    return withoutMetadata(bytes, type);
  } catch (error) {
    if (error instanceof MalformedImageError) {
      return undefined;
    }
    throw error;
  }
}

async function typeOf(bytes: Buffer): Promise<string | undefined> {
  try {
    const mime = (await fileTypeFromBuffer(bytes))?.mime;
    // An animated PNG is a valid PNG for programs that do not support animation.
    return mime === 'image/apng' ? 'image/png' : mime;
  } catch {
    // Starts like an image but ends too early.
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
