import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { EgressRules } from './AddressRules.ts';
import { GuardedFetch } from './GuardedFetch.ts';

const never = new AbortController().signal;

describe('GuardedFetch', () => {
  let server: Server;
  let port: number;
  const asked: string[] = [];
  const answers: Record<
    string,
    { status?: number; headers?: Record<string, string>; body?: Buffer }
  > = {};

  beforeAll(async () => {
    server = createServer((req, res) => {
      asked.push(req.url ?? '');
      const answer = answers[req.url ?? ''] ?? { status: 404 };
      res.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
    });
    await new Promise<void>(resolve => {
      server.listen(0, resolve);
    });
    port = (server.address() as AddressInfo).port;
  });
  beforeEach(() => {
    asked.length = 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  function get(path: string) {
    // Only the name is listed: its addresses are private like any other.
    const rules = new EgressRules({ allowedHosts: ['localhost'] });
    return new GuardedFetch({ rules }).get(
      new URL(`http://localhost:${port}${path}`),
      never,
    );
  }

  it('follows three redirects, and not a fourth', async () => {
    answers['/end'] = { body: Buffer.from('text') };
    for (const hop of [1, 2, 3, 4]) {
      answers[`/hop${hop}`] = {
        status: 302,
        headers: { location: hop === 1 ? '/end' : `/hop${hop - 1}` },
      };
    }
    const { url, body } = await get('/hop3');
    expect(url.pathname).toBe('/end');
    expect(await text(body)).toBe('text');
    await expect(get('/hop4')).rejects.toThrow('redirects too often');
  });

  it.each([
    'http://127.0.0.1:PORT/end',
    'http://2130706433:PORT/end',
    'http://[::1]:PORT/end',
    'http://[::ffff:7f00:1]:PORT/end',
    'http://a:b@localhost:PORT/end',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
  ])('does not follow a redirect to %s', async location => {
    answers['/redirect'] = {
      status: 302,
      headers: { location: location.replace('PORT', String(port)) },
    };
    await expect(get('/redirect')).rejects.toThrow('must not be contacted');
    expect(asked).toEqual(['/redirect']);
  });

  it.each<Record<string, string>>([{}, { location: 'http://[' }])(
    'reports the response of a redirect without a target: %j',
    async headers => {
      answers['/nowhere'] = { status: 301, headers };
      await expect(get('/nowhere')).rejects.toThrow('answered 301');
    },
  );

  it.each([
    ['gzip', gzipSync('text')],
    ['deflate', deflateSync('text')],
    ['br', brotliCompressSync('text')],
  ])('decompresses %s', async (encoding, body) => {
    answers['/zipped'] = { body, headers: { 'content-encoding': encoding } };
    expect(await text((await get('/zipped')).body)).toBe('text');
  });

  it('names an unsupported compression', async () => {
    answers['/odd'] = { headers: { 'content-encoding': 'rot13' } };
    await expect(get('/odd')).rejects.toThrow("unsupported encoding 'rot13'");
  });
});
