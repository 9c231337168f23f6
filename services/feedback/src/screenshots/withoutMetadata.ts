import { ImageCopy, type ImageSize, MalformedImageError } from './ImageCopy.ts';
import { copyJpeg } from './copyJpeg.ts';

const FORMATS: Readonly<Record<string, (image: ImageCopy) => ImageSize>> = {
  'image/png': copyPng,
  'image/jpeg': copyJpeg,
  'image/gif': copyGif,
  'image/webp': copyWebp,
};

/** The media types of the images that {@link withoutMetadata} can copy. */
export const IMAGE_TYPES: readonly string[] = Object.keys(FORMATS);

/**
 * Copies only what is needed to display an image. Cameras and programs add places, names, times and
 * previews of cropped parts, of which the sender may be unaware.
 *
 * @param type - one of {@link IMAGE_TYPES}.
 * @throws MalformedImageError if the bytes are not an image of this type.
 */
export function withoutMetadata(
  bytes: Buffer,
  type: string,
): { bytes: Buffer; size: ImageSize } {
  const image = new ImageCopy(bytes);
  const size = FORMATS[type](image);
  return { bytes: image.kept(), size };
}

/** Chunks that define pixels, colours and animation; all others are dropped. */
const PNG_CHUNKS: ReadonlySet<string> = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'bKGD', 'hIST', 'pHYs', 'sPLT'],
  ...['cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP', 'mDCV', 'cLLI'],
  ...['acTL', 'fcTL', 'fdAT'],
]);

/** @see https://www.w3.org/TR/png-3/#5DataRep */
function copyPng(image: ImageCopy): ImageSize {
  image.keep(8);
  const size = { width: image.uint32BE(8), height: image.uint32BE(12) };
  for (;;) {
    const whole = 12 + image.uint32BE(0);
    const type = image.text(4, 4);
    if (PNG_CHUNKS.has(type)) {
      image.keep(whole);
    } else {
      image.skip(whole);
    }
    if (type === 'IEND') {
      return size;
    }
  }
}

/** Application extensions that define how often an animation is repeated. */
const GIF_LOOPS: ReadonlySet<string> = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0']);

/** @see https://www.w3.org/Graphics/GIF/spec-gif89a.txt */
function copyGif(image: ImageCopy): ImageSize {
  const size = { width: image.uint16LE(6), height: image.uint16LE(8) };
  image.keep(13 + colourTableLength(image.byte(10)));
  // Not all programs write the end marker, and some write zeros before it.
  while (image.left > 0) {
    switch (image.byte(0)) {
      case 0x2c:
        image.keep(11 + colourTableLength(image.byte(9)));
        copyBlocks(image, true);
        break;
      case 0x21:
        copyExtension(image);
        break;
      case 0x3b:
        image.keep(1);
        return size;
      case 0:
        image.skip(1);
        break;
      default:
        throw new MalformedImageError('The GIF has an unknown part');
    }
  }
  return size;
}

function copyExtension(image: ImageCopy): void {
  const label = image.byte(1);
  const isKept =
    label === 0xf9 || (label === 0xff && GIF_LOOPS.has(image.text(3, 11)));
  if (isKept) {
    image.keep(2);
  } else {
    image.skip(2);
  }
  copyBlocks(image, isKept);
}

function copyBlocks(image: ImageCopy, isKept: boolean): void {
  let length = 0;
  let size: number;
  do {
    size = image.byte(length);
    length += 1 + size;
  } while (size > 0);
  if (isKept) {
    image.keep(length);
  } else {
    image.skip(length);
  }
}

function colourTableLength(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
}

const WEBP_CHUNKS: ReadonlySet<string> = new Set([
  ...['VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'],
]);
/** The header flags for Exif and XMP. */
const WEBP_METADATA = 0x0c;

/** @see https://developers.google.com/speed/webp/docs/riff_container */
function copyWebp(image: ImageCopy): ImageSize {
  const tail = Math.max(0, image.left - 8 - image.uint32LE(4));
  image.keep(12);
  let size: ImageSize | undefined;
  while (image.left > tail) {
    const type = image.text(0, 4);
    const length = image.uint32LE(4);
    // Not all programs pad the last chunk.
    const whole = Math.min(8 + length + (length % 2), image.left);
    size ??= webpSizeOf(image, type);
    if (type === 'VP8X') {
      const header = Buffer.from(image.peek(18));
      header[8] &= ~WEBP_METADATA;
      image.skip(whole);
      image.add(header);
    } else if (WEBP_CHUNKS.has(type)) {
      image.keep(whole);
    } else {
      image.skip(whole);
    }
  }
  const kept = image.kept();
  kept.writeUInt32LE(kept.length - 8, 4);
  return size ?? { width: 0, height: 0 };
}

function webpSizeOf(image: ImageCopy, type: string): ImageSize | undefined {
  switch (type) {
    case 'VP8X':
      return {
        width: 1 + image.peek(15).readUIntLE(12, 3),
        height: 1 + image.peek(18).readUIntLE(15, 3),
      };
    case 'VP8L': {
      const bits = image.uint32LE(9);
      return {
        width: 1 + (bits & 0x3fff),
        height: 1 + ((bits >> 14) & 0x3fff),
      };
    }
    case 'VP8 ':
      return {
        width: image.uint16LE(14) & 0x3fff,
        height: image.uint16LE(16) & 0x3fff,
      };
    default:
      return undefined;
  }
}
