import { MalformedImageError } from './ImageCopy.ts';
import { readScreenshot } from './Screenshot.ts';
import { withoutMetadata } from './withoutMetadata.ts';

const SECRET = Buffer.from('52.5163 N, Ada Lovelace');

/** Encodes a number as big-endian bytes. */
function big(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

function little(value: number, bytes: number): Buffer {
  return big(value, bytes).reverse();
}

type Part = Buffer | readonly number[] | string;

function join(...parts: readonly Part[]): Buffer {
  return Buffer.concat(
    parts.map(part =>
      typeof part === 'string'
        ? Buffer.from(part, 'latin1')
        : Buffer.from(part),
    ),
  );
}

/** Builds a PNG of the given size with further chunks after its header. */
function png([width, height]: [number, number], ...chunks: Buffer[]): Buffer {
  return join(
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    pngChunk('IHDR', join(big(width, 4), big(height, 4), [8, 6, 0, 0, 0])),
    ...chunks,
    pngChunk('IDAT', Buffer.from('pixels')),
    pngChunk('IEND', Buffer.alloc(0)),
  );
}

function pngChunk(type: string, data: Buffer): Buffer {
  return join(big(data.length, 4), type, data, [1, 2, 3, 4]);
}

/** Builds a JPEG with further segments after its start. */
function jpeg(...segments: Buffer[]): Buffer {
  return join(
    [0xff, 0xd8],
    segment(0xe0, join('JFIF\0', [1, 1, 0, 0, 1, 0, 1, 0, 0])),
    ...segments,
    segment(0xdb, join('quantization')),
    segment(0xc0, join([8], big(30, 2), big(40, 2), [1, 1, 0x11, 0])),
    segment(0xda, join([1, 1, 0, 0, 63, 0])),
    [0x12, 0xff, 0, 0x34, 0xff, 0xd0, 0x56, 0xff, 0xd9],
  );
}

function segment(marker: number, data: Buffer): Buffer {
  return join([0xff, marker], big(data.length + 2, 2), data);
}

/** Builds an Exif segment that contains an orientation and the secret. */
function exif(order: 'MM' | 'II', orientation: number): Buffer {
  const number = order === 'MM' ? big : little;
  return segment(
    0xe1,
    join(
      'Exif\0\0',
      order,
      ...[number(42, 2), number(8, 4), number(2, 2)],
      ...[number(0x010f, 2), number(2, 2), number(9, 4), number(38, 4)],
      ...[number(0x0112, 2), number(3, 2), number(1, 4)],
      ...[number(orientation, 2), number(0, 2), number(0, 4)],
      SECRET,
    ),
  );
}

const orientedTo = (orientation: number) =>
  segment(
    0xe1,
    join(
      'Exif\0\0MM\0*',
      [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1],
      [0, orientation, 0, 0, 0, 0, 0, 0],
    ),
  );

function gif(...extensions: Buffer[]): Buffer {
  return join(
    'GIF89a',
    ...[little(20, 2), little(10, 2), [0x80, 0, 0], [1, 2, 3, 4, 5, 6]],
    ...extensions,
    [0x21, 0xf9, 4, 0, 0, 0, 0, 0],
    ...[[0x2c, 0, 0, 0, 0], little(20, 2), little(10, 2), [0], [2, 1, 9, 0]],
    [0x3b],
  );
}

const gifExtension = (label: number, ...blocks: Part[]) =>
  join(
    [0x21, label],
    ...blocks.flatMap(block => [[join(block).length], block]),
    [0],
  );

function webp(flags: number, ...chunks: Buffer[]): Buffer {
  const all = join(
    'WEBP',
    riff('VP8X', join([flags, 0, 0, 0], little(99, 3), little(49, 3))),
    ...chunks,
  );
  return join('RIFF', little(all.length, 4), all);
}

function riff(type: string, data: Buffer): Buffer {
  const padding = data.length % 2 === 0 ? [] : [0];
  return join(type, little(data.length, 4), data, padding);
}

const pixels = riff('VP8L', Buffer.from([0x2f, 1, 2, 3, 4]));

it.each([
  [
    'image/png',
    png(
      [3, 2],
      pngChunk('tEXt', SECRET),
      pngChunk('gAMA', big(45_455, 4)),
      pngChunk('eXIf', SECRET),
      pngChunk('prVt', SECRET),
    ),
    png([3, 2], pngChunk('gAMA', big(45_455, 4))),
    { width: 3, height: 2 },
  ],
  [
    'image/jpeg',
    join(
      jpeg(
        segment(0xe1, join('http://ns.adobe.com/xap/1.0/\0', SECRET)),
        segment(0xed, SECRET),
        segment(0xfe, SECRET),
        segment(0xe2, join('MPF\0', SECRET)),
        segment(0xe2, join('ICC_PROFILE\0', 'colours')),
      ),
      SECRET,
    ),
    jpeg(segment(0xe2, join('ICC_PROFILE\0', 'colours'))),
    { width: 40, height: 30 },
  ],
  [
    'image/gif',
    join(
      gif(
        gifExtension(0xfe, SECRET),
        gifExtension(0xff, 'XMP DataXMP', SECRET),
        gifExtension(0xff, 'NETSCAPE2.0', [1, 0, 0]),
      ),
      SECRET,
    ),
    gif(gifExtension(0xff, 'NETSCAPE2.0', [1, 0, 0])),
    { width: 20, height: 10 },
  ],
  [
    'image/webp',
    join(
      webp(0x1c, pixels, riff('EXIF', SECRET), riff('XMP ', SECRET)),
      SECRET,
    ),
    webp(0x10, pixels),
    { width: 100, height: 50 },
  ],
])('removes what is not displayed from %s', (type, image, expected, size) => {
  const clean = withoutMetadata(image, type);
  expect(clean.bytes).toEqual(expected);
  expect(clean.size).toEqual(size);
});

it('accepts and drops bytes between the parts of an image, as browsers do', () => {
  const stray = Buffer.from([0x12, 0xff, 0, 0xff, 0xd3, 0xff]);
  expect(withoutMetadata(jpeg(stray), 'image/jpeg').bytes).toEqual(jpeg());
  const trailer = Buffer.from([0x3b]);
  const padded = join(gif().subarray(0, -1), [0, 0, 0], trailer);
  expect(withoutMetadata(padded, 'image/gif').bytes).toEqual(gif());
});

it('rejects a JPEG without a frame', () => {
  const empty = join([0xff, 0xd8], SECRET);
  expect(() => withoutMetadata(empty, 'image/jpeg')).toThrow('no frame');
});

it('removes the thumbnail of JFIF', () => {
  const whole = jpeg();
  const thumbnail = join('JFIF\0', [1, 1, 0, 0, 1, 0, 1, 2, 1], 'RGBRGB');
  const image = join(
    whole.subarray(0, 2),
    segment(0xe0, thumbnail),
    whole.subarray(20),
  );
  expect(withoutMetadata(image, 'image/jpeg').bytes).toEqual(whole);
});

it.each(['MM', 'II'] as const)('keeps the orientation of Exif (%s)', order => {
  const { bytes } = withoutMetadata(
    jpeg(exif(order, 6), exif(order, 3)),
    'image/jpeg',
  );
  expect(bytes).toEqual(jpeg(orientedTo(6)));
  expect(withoutMetadata(bytes, 'image/jpeg').bytes).toEqual(bytes);
  expect(withoutMetadata(jpeg(exif(order, 1)), 'image/jpeg').bytes).toEqual(
    jpeg(),
  );
});

it.each([
  ['no entries', [0, 0, 0, 200, 0xff, 0xff]],
  ['more entries than it has room for', [0, 0, 0, 8, 0xff, 0xff]],
  ['half an entry', [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3]],
])('takes Exif with %s as upright', (_, directory) => {
  const broken = segment(0xe1, join('Exif\0\0MM\0*', directory));
  expect(withoutMetadata(jpeg(broken), 'image/jpeg').bytes).toEqual(jpeg());
});

it('rejects an image that ends too early, at every byte that matters', () => {
  const whole = png([3, 2], pngChunk('tEXt', SECRET));
  for (let length = 8; length < whole.length; length += 1) {
    expect(() =>
      withoutMetadata(whole.subarray(0, length), 'image/png'),
    ).toThrow(MalformedImageError);
  }
});

it('rejects an image of very many parts, which would take long', () => {
  const parts = Buffer.alloc(30_000 * 4, segment(0xfe, join('')));
  expect(() => withoutMetadata(jpeg(parts), 'image/jpeg')).toThrow(
    'too many parts',
  );
});

it('rejects an image of more pixels than a browser can display', async () => {
  const sent = (width: number) =>
    readScreenshot(png([width, 8_000]).toString('base64'));
  expect((await sent(8_000)).type).toBe('image/png');
  await expect(sent(8_001)).rejects.toMatchObject({
    fault: { field: 'screenshot', constraint: 'maximum' },
  });
});
