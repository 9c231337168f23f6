import { createServer, Server } from 'node:https';
import { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { ConfigReader } from '@backstage/config';
import { makeLocalhostCertificate } from '../__testUtils__/localhostCertificate';
import { DevfileFetch, DevfileReader, readDevfileRules } from './DevfileReader';

const never = new AbortController().signal;

/** Timeout for an address that does not respond, in milliseconds. */
const PATIENCE_MS = 500;

function rules(reading: object, devfile: object = {}) {
  return readDevfileRules(
    new ConfigReader({ backend: { reading }, ideLauncher: { devfile } }),
  );
}

describe('readDevfileRules', () => {
  const listed = rules({
    allow: [
      { host: 'git.example.org' },
      { host: 'internal.example.org:8443' },
      { host: '*.wild.example.org' },
      { host: 'paths.example.org', paths: ['/devfiles/'] },
    ],
  });
  const everywhere = rules({}, { hosts: 'public' });

  it.each([
    ['https://git.example.org/x', 'trusted'],
    ['https://git.example.org:8443/x', 'refused'],
    ['https://internal.example.org:8443/x', 'trusted'],
    ['https://a.wild.example.org/x', 'public'],
    ['https://paths.example.org/devfiles/a.yaml', 'trusted'],
    ['https://paths.example.org/devfiles/../secrets', 'refused'],
    ['http://git.example.org/x', 'refused'],
    ['https://git.example.org.evil.org/x', 'refused'],
  ])('says of %s, with hosts listed: %s', (address, verdict) => {
    expect(listed.judge(new URL(address))).toBe(verdict);
  });

  it.each([
    ['https://anything.example.org/x', 'public'],
    ['https://anything.example.org:22/x', 'refused'],
    ['https://127.0.0.1/x', 'refused'],
    ['https://2130706433/x', 'refused'],
    ['https://0177.0.0.1/x', 'refused'],
    ['https://0x7f.1/x', 'refused'],
    ['https://127.1/x', 'refused'],
    ['https://[::1]/x', 'refused'],
    ['https://[::ffff:127.0.0.1]/x', 'refused'],
    ['https://[::ffff:a9fe:a9fe]/x', 'refused'],
    ['https://169.254.169.254/latest', 'refused'],
    ['https://[fd00:ec2::254]/latest', 'refused'],
    ['https://93.184.216.34/x', 'public'],
  ])('says of %s, with any public host: %s', (address, verdict) => {
    expect(everywhere.judge(new URL(address))).toBe(verdict);
  });

  it.each([
    [false, 'public'],
    [true, 'trusted'],
  ])(
    'trusts hosts that are listed by name, and with allowPrivateAddresses %s those of a wildcard: %s',
    (allowPrivateAddresses, verdict) => {
      const both = rules(
        { allow: [{ host: 'localhost:8443' }, { host: '*.localhost' }] },
        { allowPrivateAddresses },
      );
      const judge = (address: string) => both.judge(new URL(address));
      expect(judge('https://localhost:8443')).toBe('trusted');
      expect(judge('https://a.localhost')).toBe(verdict);
      expect(judge('https://127.0.0.1:8443')).toBe('refused');
    },
  );

  it('rejects other ways of choosing hosts', () => {
    expect(() => rules({}, { hosts: 'all' })).toThrow('must be one of');
  });
});

describe('DevfileFetch', () => {
  let server: Server;
  let port: number;
  let ca: string[];
  const asked: string[] = [];
  const answers: Record<
    string,
    { status?: number; headers?: Record<string, string>; body?: Buffer }
  > = {};

  beforeAll(async () => {
    const certificate = makeLocalhostCertificate('rebinding.example.org');
    ca = [certificate.cert];
    server = createServer(certificate, (incoming, response) => {
      asked.push(incoming.url ?? '');
      const answer = answers[incoming.url ?? ''] ?? { status: 404 };
      response.writeHead(answer.status ?? 200, answer.headers);
      response.end(answer.body);
    });
    await new Promise<void>(resolve => {
      server.listen(0, 'localhost', resolve);
    });
    port = (server.address() as AddressInfo).port;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  function fetcher(more: { host: string }[] = []) {
    return new DevfileFetch({
      ca,
      rules: rules({ allow: [{ host: `localhost:${port}` }, ...more] }),
    });
  }

  function read(path: string, fetch = fetcher(), timeoutMs = 60_000) {
    const reader = new DevfileReader({
      urlReader: {
        readUrl: () => Promise.reject(new Error('not asked')),
      } as never,
      fetch,
      timeoutMs,
    });
    return reader.read(`https://localhost:${port}${path}`);
  }

  it('follows three redirects, and not a fourth', async () => {
    answers['/end'] = { body: Buffer.from('text') };
    for (const hop of [1, 2, 3, 4]) {
      answers[`/hop${hop}`] = {
        status: 302,
        headers: { location: hop === 1 ? '/end' : `/hop${hop - 1}` },
      };
    }
    await expect(read('/hop3')).resolves.toBe('text');
    await expect(read('/hop4')).rejects.toThrow('redirects too often');
  });

  it.each([
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/x',
    'https://[::1]/x',
    'https://2130706433/x',
    'https://0177.0.0.1/x',
    'https://elsewhere.example.org/x',
  ])('does not follow a redirect to %s', async location => {
    answers['/redirect'] = { status: 302, headers: { location } };
    await expect(read('/redirect')).rejects.toThrow(/is not allowed/);
  });

  it('does not follow a redirect away from https', async () => {
    answers['/plain'] = {
      status: 302,
      headers: { location: `http://localhost:${port}/end` },
    };
    await expect(read('/plain')).rejects.toThrow('must be an https URL');
  });

  it('connects to the checked address: a name that resolves to a public, then a private address fails', async () => {
    const answersOfTheName = ['93.184.216.34', '127.0.0.1'];
    let looked = 0;
    const fetch = new DevfileFetch({
      ca,
      rules: rules({ allow: [{ host: `*.example.org:${port}` }] }),
      resolve: (
        _: string,
        callback: (
          error: null,
          addresses: { address: string; family: number }[],
        ) => void,
      ) => {
        const address = answersOfTheName[looked % 2];
        looked += 1;
        callback(null, [{ address, family: 4 }]);
      },
    });
    const get = (signal: AbortSignal) =>
      fetch.get(new URL(`https://rebinding.example.org:${port}/end`), signal);
    const before = asked.length;

    // There is no server at the public address; a second lookup would find the local
    // one.
    await expect(get(AbortSignal.timeout(PATIENCE_MS))).rejects.not.toThrow(
      /is not allowed/,
    );
    expect(looked).toBe(1);
    await expect(get(never)).rejects.toThrow(/is not allowed/);
    expect(looked).toBe(2);
    expect(asked.length).toBe(before);
  });

  it.each([
    ['2 MiB as they are', Buffer.alloc(2 * 1024 ** 2, 'a'), undefined],
    [
      '200 MiB in a small archive',
      gzipSync(Buffer.alloc(200 * 1024 ** 2)),
      'gzip',
    ],
  ])('ends a body of %s at 1 MiB', async (_, body, encoding) => {
    answers['/bomb'] = {
      body,
      headers: encoding ? { 'content-encoding': encoding } : {},
    };
    const before = process.memoryUsage().rss;
    await expect(read('/bomb')).rejects.toThrow('larger than 1048576 bytes');
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 ** 2);
  });

  it('reads compressed content', async () => {
    answers['/zipped'] = {
      body: gzipSync('schemaVersion: 2.2.2'),
      headers: { 'content-encoding': 'gzip' },
    };
    await expect(read('/zipped')).resolves.toBe('schemaVersion: 2.2.2');
  });

  it('reports errors without internal details', async () => {
    answers['/broken'] = {
      body: Buffer.from('not gzip'),
      headers: { 'content-encoding': 'gzip' },
    };
    await expect(read('/none')).rejects.toThrow(/\/none answered 404$/);
    await expect(read('/broken')).rejects.toThrow(/^cannot reach localhost/);
  });
});
