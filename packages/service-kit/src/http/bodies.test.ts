import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import {
  shopConfig,
  shopKey,
  shopService,
} from '../__fixtures__/shopService.ts';
import {
  acceptJson,
  readTextMembers,
  type Service,
  UnauthenticatedError,
} from '../index.ts';
import { JsonCounter } from './scanJson.ts';
import { startTestService } from '../testing/index.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** The key in the body, as clients of a service with gzipped bodies send it. */
const KEY = 'phc_known';

let service: Service;
let url: string;
let recognized: string[];
let handled: unknown[];

beforeAll(async () => {
  service = await startTestService(
    shopService({
      extend({ app, auth }) {
        app.post(
          '/api/open',
          { config: { access: auth.apiKey({ optional: true }) } },
          async request => typeof request.body,
        );
        app.post(
          '/api/large',
          {
            bodyLimit: 10 * MIB,
            config: {
              access: auth.apiKey({ optional: true }),
              body: { untrusted: { unpacked: 4 * MIB, elements: 1_000 } },
            },
          },
          async request => typeof request.body,
        );
        app.register(async scope => {
          acceptJson(scope, { gzip: true, faults: 'repair' });
          scope.post(
            '/api/batch',
            {
              bodyLimit: 20 * MIB,
              config: {
                access: auth.anyone,
                body: {
                  async recognize(_request, start) {
                    const { api_key } = readTextMembers(start, ['api_key']);
                    recognized.push(api_key ?? '');
                    return api_key === KEY;
                  },
                },
              },
            },
            async ({ body }) => {
              handled.push(body);
              if ((body as { api_key?: unknown }).api_key !== KEY) {
                throw new UnauthenticatedError();
              }
              return { status: 1 };
            },
          );
        });
      },
    }),
    { config: { ...shopConfig, rateLimit: { enabled: false } } },
  );
  url = await service.start();
});

beforeEach(() => {
  recognized = [];
  handled = [];
});

afterAll(() => service.stop());

async function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<number> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  await response.body?.cancel();
  return response.status;
}

/**
 * Sends a body in chunks, without a Content-Length. With more to come, the request is never
 * finished.
 */
function postChunks(
  path: string,
  chunks: readonly string[],
  { moreToCome = false } = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${url}${path}`,
      { method: 'POST', headers: { 'content-type': 'application/json' } },
      response => {
        response.resume();
        resolve(response.statusCode!);
      },
    );
    sent.on('error', reject);
    chunks.forEach(chunk => sent.write(chunk));
    if (!moreToCome) {
      sent.end();
    }
  });
}

const padded = (bytes: number) => `{}${' '.repeat(bytes - 2)}`;
const zeros = (count: number) => `[${'0,'.repeat(count - 1)}0]`;

describe('a body from an unknown sender', () => {
  it('is limited to the size allowed by the route', async () => {
    expect(await post('/api/large', padded(4 * MIB))).toBe(200);
    expect(await post('/api/large', padded(4 * MIB + 1))).toBe(413);
    expect(await post('/api/large', padded(10 * MIB), shopKey)).toBe(200);
    expect(await post('/api/large', padded(10 * MIB + 1), shopKey)).toBe(413);
  });

  it('is limited without a Content-Length too', async () => {
    const mebibyte = ' '.repeat(MIB);
    const large = (mebibytes: number) => [
      ...Array.from({ length: mebibytes }, () => mebibyte),
      '{}',
    ];
    expect(await postChunks('/api/large', large(3))).toBe(200);
    expect(await postChunks('/api/large', large(5))).toBe(413);
  });

  it('is limited to the number of elements allowed by the route', async () => {
    expect(await post('/api/large', zeros(1_000 - 1))).toBe(200);
    expect(await post('/api/large', zeros(1_001))).toBe(413);
    expect(await post('/api/large', zeros(1_001), shopKey)).toBe(200);
  });

  it('is rejected as soon as it exceeds the limit', async () => {
    const moreToCome = { moreToCome: true };
    for (const [start, status] of [
      [`{"x":[${'0,'.repeat(1_000)}`, 413],
      [`{"x":"${'\\"[,'.repeat(1_000)}",${'"y":{},'.repeat(500)}`, 413],
      [`{"x":${'['.repeat(65)}`, 400],
    ] as const) {
      expect(await postChunks('/api/large', [start], moreToCome)).toBe(status);
    }
  });

  it('is counted in the same way wherever it is split', async () => {
    const counted = (json: string) => {
      const counter = new JsonCounter();
      for (const byte of Buffer.from(json)) {
        counter.take(Buffer.of(byte));
      }
      return counter.elements;
    };
    expect(counted('{"a":"\\",[{\\\\","é":[1,2,{"c":"}]"}],"d":""}')).toBe(7);
  });

  it('may not be an array of millions, even from a known sender', async () => {
    for (const headers of [{}, shopKey]) {
      expect(await post('/api/open', zeros(MIB / 4), headers)).toBe(413);
      expect(await post('/api/open', '[{},'.repeat(9), headers)).toBe(400);
    }
  });
});

it.each([
  ['{"a":"\\",[[[,,,{{{"}', 200],
  ['{"a":"\\\\","b":[1,2,{"c":"}]"}]}', 200],
  ['{"a":"\\\\\\"[[["}', 200],
  [`${'['.repeat(64)}${']'.repeat(64)}`, 200],
  [`${'['.repeat(65)}${']'.repeat(65)}`, 400],
  [`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, 400],
  ['["a', 400],
  ['"\\', 400],
  ['{"a":"\\ud83d\\ude00"}', 200],
  ['{"a":["x",{"\\ud83d":1}]}', 400],
])('counts %s correctly', async (json, status) => {
  expect(await post('/api/open', json)).toBe(status);
});

describe('a gzipped body', () => {
  const batch = (members: object) =>
    gzipSync(JSON.stringify({ api_key: KEY, ...members }));
  const gunzipped = (random: string[]) =>
    JSON.stringify({ api_key: KEY, batch: [...random, 'x'.repeat(2 * MIB)] });
  const noise = () =>
    Array.from({ length: 400 }, () => String(Math.random())).join();

  it('is unpacked completely for a sender recognized by its start', async () => {
    const large = { batch: ['x'.repeat(15 * MIB)] };
    expect(await post('/api/batch', batch(large))).toBe(200);
    const random = Array.from({ length: 20_000 }, () => String(Math.random()));
    const packed = batch({ batch: random });
    expect(packed.length).toBeGreaterThan(128 * KIB);
    expect(await post('/api/batch', packed)).toBe(200);
    expect(await post('/api/batch', gunzipped(random))).toBe(200);
    expect(recognized).toEqual([KEY, KEY, KEY]);
  });

  it('is not unpacked for other senders', async () => {
    // 9.4 million zeros in 18 KB, which used to block the event loop for 5.5 s and take 2.9 GB.
    const bomb = gzipSync(`{"api_key":"guess","batch":${zeros(9_400_000)}}`);
    expect(bomb.length).toBeLessThan(20 * KIB);
    expect(await post('/api/batch', bomb)).toBe(413);
    const numbers = Array.from({ length: 5_000 }, Math.random);
    const large = gzipSync(
      JSON.stringify({ api_key: 'guess', batch: numbers }),
    );
    expect(large.length).toBeGreaterThan(32 * KIB);
    expect(await post('/api/batch', Buffer.concat([large, large, large]))).toBe(
      413,
    );
    expect(recognized).toEqual(['guess', 'guess']);
    expect(handled).toEqual([]);
  });

  it('is counted for known senders too', async () => {
    const bomb = gzipSync(`{"api_key":"${KEY}","batch":${zeros(9_400_000)}}`);
    expect(await post('/api/batch', bomb)).toBe(413);
    // Fits into 20 MiB of JSON, but no route accepts such a long list.
    const long = gzipSync(`{"api_key":"${KEY}","batch":${zeros(2_000_000)}}`);
    expect(await post('/api/batch', long)).toBe(413);
    expect(await post('/api/batch', batch({ batch: [[0], {}] }))).toBe(200);
    expect(handled).toHaveLength(1);
  });

  it('is searched for its key if it is small', async () => {
    const late = gzipSync(JSON.stringify({ batch: [noise()], api_key: KEY }));
    expect(late.length).toBeGreaterThan(2 * KIB);
    expect(await post('/api/batch', late)).toBe(200);
    expect(await post('/api/batch', gzipSync('{}'))).toBe(401);
    expect(recognized).toEqual(['', '']);
  });

  it('is rejected if it is malformed', async () => {
    const gzip = { 'content-encoding': 'gzip' };
    expect(await post('/api/batch', 'no gzip', gzip)).toBe(400);
    const cut = batch({ batch: [noise()] }).subarray(0, 900);
    expect(await post('/api/batch', cut)).toBe(400);
    expect(await post('/api/batch', '', gzip)).toBe(400);
    const brotli = { 'content-encoding': 'br' };
    expect(await post('/api/batch', batch({}), brotli)).toBe(400);
  });

  it('gets its unstorable strings repaired', async () => {
    const body = `{"api_key":"${KEY}","t":["a\\u0000",{"b":"\\ud800"}]}`;
    expect(await post('/api/batch', gzipSync(body))).toBe(200);
    expect(handled).toEqual([
      { api_key: KEY, t: ['a\u{fffd}', { b: '\u{fffd}' }] },
    ]);
  });
});

it.each([
  ['{"api_key":"a","batch":[', { api_key: 'a' }],
  ['{"batch":[{"api_key":"b"}],"api_key":"a"}', { api_key: 'a' }],
  ['{"api_key": "a\\u0062\\"" , "x', { api_key: 'ab"' }],
  ['{"api_key":7,"token":"t"', { token: 't' }],
  ['{"x":"api_key","token":"t"', { token: 't' }],
  ['{"api_key":{"token":"t"}', {}],
  ['{"api_key":"cut', {}],
  ['["api_key","a"]', {}],
  ['', {}],
])('reads the key at the start of %s', (start, members) => {
  expect(readTextMembers(start, ['api_key', 'token'])).toEqual(members);
});
