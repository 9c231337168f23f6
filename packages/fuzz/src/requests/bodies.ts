import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from '../routes/Route.ts';
import { anything, type KnownValues, nearly, wellFormed } from './values.ts';

/** A body, and the headers that describe it. */
export interface HostileBody {
  headers: (readonly [name: string, value: string])[];
  body: Buffer;
}

const JSON_TYPE = 'application/json';
const MEGABYTE = 1_000_000;

const zeros = (count: number) => `[0${',0'.repeat(count - 1)}]`;
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

/** Large bombs that unpack to the maximum size; each is created once. */
const bombs = lazily([
  () => gzipSync(zeros(4_700_000)),
  () =>
    gzipSync(`{"api_key":"phc_dev_project_key","batch":${zeros(2_000_000)}}`),
  () => gzipSync(Buffer.alloc(40 * MEGABYTE)),
  () => gzipSync(gzipSync(Buffer.alloc(40 * MEGABYTE))),
  () => gzipSync(nested(1_000_000)),
  () => brotliCompressSync(Buffer.alloc(20 * MEGABYTE, '0')),
  () => deflateSync(Buffer.alloc(20 * MEGABYTE, '[')),
]);

/** Larger than most limits. */
const giants = lazily([
  () => Buffer.from(zeros(2_000_000)),
  () => Buffer.from(`{"message":"${'m'.repeat(5 * MEGABYTE)}"}`),
  () => Buffer.from(`"${'\\u0000'.repeat(200_000)}"`),
  () =>
    Buffer.from(`{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":0`)}}`),
  () => Buffer.from(nested(400_000)),
  () => Buffer.from(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  () => Buffer.from(`[${'"", '.repeat(250_000)}""]`),
  () => Buffer.from(`{"rating":1,"message":${zeros(500_000)}}`),
  () => Buffer.from(`1${'0'.repeat(MEGABYTE)}`),
  () => Buffer.alloc(MEGABYTE, '&a=1'),
  () => Buffer.alloc(MEGABYTE, 'a[b][c]=1&'),
]);

const contentTypes = fc.oneof(
  { weight: 3, arbitrary: fc.constant<string | undefined>(JSON_TYPE) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<string | undefined>(
      undefined,
      '',
      'text/plain',
      'text/xml',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'application/octet-stream',
      'application/cloudevents+json',
      'application/json; charset=klingon',
      'application/json; charset=utf-16le',
      'application/json;;;',
      `application/json; ${'a='.repeat(2_000)}`,
      'nonsense',
    ),
  },
);

const packers: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: body => gzipSync(body),
  GZIP: body => gzipSync(body),
  'x-gzip': body => gzipSync(body),
  deflate: body => deflateSync(body),
  br: body => brotliCompressSync(body),
  'gzip, gzip': body => gzipSync(gzipSync(body)),
};

const encodings = fc.constantFrom(
  ...Object.keys(packers),
  'gzip',
  'gzip',
  'identity',
  'zstd',
  'nonsense',
  '',
);

/** Generates bodies for a route, from valid ones to those that no parser accepts. */
export function bodiesOf(
  schemas: Readonly<Record<string, Schema>>,
  known: KnownValues,
): Arbitrary<HostileBody> {
  const types = Object.keys(schemas);
  const values =
    types.length === 0
      ? anything
      : fc.oneof(...types.map(type => nearly(schemas[type], known)));
  const described = fc.constantFrom(
    ...(types.length === 0 ? [JSON_TYPE] : types),
  );
  const texts = values.map(value => JSON.stringify(value) ?? 'null');
  const jsons = texts.map(text => Buffer.from(text));
  return fc.oneof(
    { weight: 120, arbitrary: fc.tuple(described, values).map(encoded) },
    { weight: 10, arbitrary: fc.tuple(contentTypes, jsons).map(typed) },
    {
      weight: 30,
      arbitrary: fc
        .tuple(fc.constant(JSON_TYPE), texts.chain(broken))
        .map(typed),
    },
    { weight: 20, arbitrary: fc.tuple(encodings, jsons).map(packed) },
    { weight: 2, arbitrary: fc.tuple(encodings, bombs).map(declared) },
    { weight: 2, arbitrary: fc.tuple(contentTypes, giants).map(typed) },
  );
}

function encoded([type, value]: [string, unknown]): HostileBody {
  const isForm = type === 'application/x-www-form-urlencoded';
  const text = isForm ? formOf(value) : (JSON.stringify(value) ?? 'null');
  return typed([type, Buffer.from(text)]);
}

/** Encodes a value as a form, in which every value is text. */
function formOf(value: unknown): string {
  const fields =
    typeof value === 'object' && value !== null ? value : { value };
  return Object.entries(fields)
    .map(pair =>
      pair
        .map(part => (typeof part === 'string' ? part : JSON.stringify(part)))
        .map(part => encodeURIComponent(wellFormed(String(part))))
        .join('='),
    )
    .join('&');
}

function typed([type, body]: [string | undefined, Buffer]): HostileBody {
  return {
    headers: type === undefined ? [] : [['Content-Type', type]],
    body,
  };
}

/** Generates bodies that are compressed as declared, or only declared as compressed. */
function packed([encoding, body]: [string, Buffer]): HostileBody {
  const pack = packers[encoding];
  return declared([encoding, pack ? pack(body) : body]);
}

function declared([encoding, body]: [string, Buffer]): HostileBody {
  return {
    headers: [
      ['Content-Type', JSON_TYPE],
      ['Content-Encoding', encoding],
    ],
    body,
  };
}

/** Generates JSON that is truncated, repeats a member, is not text, or continues after its end. */
function broken(text: string): Arbitrary<Buffer> {
  const members = text.startsWith('{') ? text.slice(1) : '}';
  return fc.oneof(
    fc.nat({ max: text.length }).map(end => Buffer.from(text.slice(0, end))),
    fc
      .constantFrom(
        `{${duplicates(text)}${members}`,
        `{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}${
          members === '}' ? '' : ','
        }${members}`,
        `\ufeff${text}`,
        `${text}${text}`,
        `${text} // comment`,
        text.replaceAll('"', "'"),
        text.replace(/:"/, ':"\\ud800'),
        text.replace(/:"/, ':"\\u0000'),
        text.replace(/:"/, ':"\u0001'),
        text.replace(/:/, `:${nested(5_000)},"x":`),
        text.replace(/:/, `:"${'w'.repeat(70_000)}","x":`),
        text.replace(/:/, ':NaN,"x":'),
        text.replace(/:/, `:1${'0'.repeat(5_000)},"x":`),
        '',
        ' ',
        'null',
        '[]',
        '[null]',
        '"',
      )
      .map(each => Buffer.from(each)),
    fc.constant(Buffer.from(text, 'utf16le')),
    fc
      .uint8Array({ maxLength: 64 })
      .map(bytes => Buffer.concat([Buffer.from(text), bytes])),
    fc.uint8Array({ maxLength: 2_000 }).map(bytes => Buffer.from(bytes)),
  );
}

/** Repeats every member of an object at the start, with another value. */
function duplicates(text: string): string {
  const names = text.match(/"[a-z_]{1,30}":/gi) ?? ['"a":', '"a":'];
  return (
    names.map(name => `${name}{"twice":[]},`).join('') +
    (text === '{}' ? '"a":1' : '')
  );
}

/** Creates each body at most once, when it is first needed. */
function lazily(makers: readonly (() => Buffer)[]): Arbitrary<Buffer> {
  const made = new Map<number, Buffer>();
  return fc.nat({ max: makers.length - 1 }).map(index => {
    const body = made.get(index) ?? makers[index]();
    made.set(index, body);
    return body;
  });
}
