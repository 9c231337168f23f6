import {
  type ImageCopy,
  type ImageSize,
  MalformedImageError,
} from './ImageCopy.ts';

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const JFIF = 0xe0;
const EXIF = 0xe1;
/** The length of a JFIF segment without a thumbnail. */
const JFIF_LENGTH = 18;

/** Application segments needed to display an image: the prefix of their content by marker. */
const NEEDED: Readonly<Record<number, string>> = {
  0xe0: 'JFIF\0',
  0xe2: 'ICC_PROFILE\0',
  0xee: 'Adobe',
};

/**
 * Copies a JPEG without comments, most application segments, and anything after its end. Of Exif,
 * only the orientation is kept.
 *
 * @see https://www.w3.org/Graphics/JPEG/itu-t81.pdf
 */
export function copyJpeg(image: ImageCopy): ImageSize {
  image.keep(2);
  let size: ImageSize | undefined;
  let isOriented = false;
  // Not all programs write the end marker.
  while (image.left > 0) {
    // Browsers ignore bytes between segments, which some programs write.
    const stray = lengthToMarker(image.peek(image.left));
    if (stray > 0) {
      image.skip(stray);
      continue;
    }
    const marker = image.byte(1);
    if (marker === END_OF_IMAGE) {
      image.keep(2);
      break;
    } else {
      const whole = 2 + image.uint16BE(2);
      if (isFrame(marker)) {
        size = { height: image.uint16BE(5), width: image.uint16BE(7) };
      }
      if (isNeeded(image, marker)) {
        keepSegment(image, { marker, whole });
      } else {
        const orientation =
          marker === EXIF ? orientationIn(image.peek(whole)) : 1;
        image.skip(whole);
        if (orientation > 1 && !isOriented) {
          isOriented = true;
          image.add(exifWith(orientation));
        }
      }
      if (marker === START_OF_SCAN) {
        image.keep(lengthToMarker(image.peek(image.left)));
      }
    }
  }
  if (!size) {
    throw new MalformedImageError('The JPEG has no frame');
  }
  return size;
}

/** Checks whether a segment starts a frame: its marker is SOFn, and not DHT, JPG or DAC. */
function isFrame(marker: number): boolean {
  return (
    marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
  );
}

function isNeeded(image: ImageCopy, marker: number): boolean {
  if (marker in NEEDED) {
    const start = NEEDED[marker];
    return image.uint16BE(2) >= start.length + 2
      ? image.text(4, start.length) === start
      : false;
  }
  // APPn, JPGn and COM.
  return marker < 0xe0;
}

/** Keeps a segment; a JFIF segment without its thumbnail. */
function keepSegment(
  image: ImageCopy,
  { marker, whole }: { marker: number; whole: number },
): void {
  if (marker === JFIF && whole > JFIF_LENGTH) {
    const short = Buffer.alloc(JFIF_LENGTH);
    // Everything except the size of the thumbnail, which remains 0.
    image.peek(whole).copy(short, 0, 0, JFIF_LENGTH - 2);
    short.writeUInt16BE(JFIF_LENGTH - 2, 2);
    image.skip(whole);
    image.add(short);
  } else {
    image.keep(whole);
  }
}

/**
 * Returns the number of bytes before the next marker, or of all bytes if there is none. These are
 * compressed data, which contains restart markers, or bytes that may precede a marker.
 */
function lengthToMarker(bytes: Buffer): number {
  for (let at = 0; at < bytes.length - 1; at += 1) {
    if (bytes[at] === 0xff) {
      const next = bytes[at + 1];
      if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) {
        return at;
      }
    }
  }
  return bytes.length;
}

const ORIENTATION = 0x0112;

/** Returns the orientation in an Exif segment, 1 to 8; 1 (upright) if it has none. */
function orientationIn(segment: Buffer): number {
  const tiff = segment.subarray(10);
  if (segment.toString('latin1', 4, 10) !== 'Exif\0\0' || tiff.length < 8) {
    return 1;
  }
  const isBig = tiff.toString('latin1', 0, 2) === 'MM';
  const uint16 = (at: number) =>
    isBig ? tiff.readUInt16BE(at) : tiff.readUInt16LE(at);
  const directory = isBig ? tiff.readUInt32BE(4) : tiff.readUInt32LE(4);
  // Ignores the number of entries, which may be wrong; data after the entries is unlikely to look
  // like this tag.
  for (let entry = directory + 2; entry + 12 <= tiff.length; entry += 12) {
    if (uint16(entry) === ORIENTATION) {
      const value = uint16(entry + 8);
      return value >= 1 && value <= 8 ? value : 1;
    }
  }
  return 1;
}

/** Returns an Exif segment that contains only the orientation. */
function exifWith(orientation: number): Buffer {
  return Buffer.concat([
    Buffer.from([0xff, EXIF, 0, 34]),
    Buffer.from('Exif\0\0MM\0*', 'latin1'),
    // One entry at offset 8, with a 16-bit number; no further directory.
    Buffer.from([0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1]),
    Buffer.from([0, orientation, 0, 0, 0, 0, 0, 0]),
  ]);
}
