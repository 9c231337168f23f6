import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { anyAddress, EgressRules } from './AddressRules.ts';
import { guardedRequest, type ResolveAll } from './guardedRequest.ts';

/** Timeout for an address that does not respond, in milliseconds. */
const PATIENCE_MS = 500;

describe('guardedRequest', () => {
  const rules = new EgressRules();
  const received: string[] = [];
  let server: Server;
  let port: number;

  beforeAll(async () => {
    server = createServer(async (req, res) => {
      received.push(`${req.method} ${req.url} ${await text(req)}`);
      res.writeHead(302, { location: 'http://10.0.0.1/' }).end('moved');
    });
    // Listens on both address families, so that no test passes only because nothing listens.
    await new Promise<void>(resolve => {
      server.listen(0, resolve);
    });
    port = (server.address() as AddressInfo).port;
  });
  beforeEach(() => {
    received.length = 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('sends a body to allowed addresses, and follows no redirects', async () => {
    const answer = await guardedRequest(
      new URL(`http://localhost:${port}/hook`),
      { rules: anyAddress, method: 'POST', body: '{}' },
    );
    expect(answer.statusCode).toBe(302);
    expect(await text(answer)).toBe('moved');
    expect(received).toEqual(['POST /hook {}']);
  });

  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    'localhost',
  ])('sends nothing to %s', async host => {
    await expect(
      guardedRequest(new URL(`http://${host}:${port}/`), { rules }),
    ).rejects.toThrow('must not be contacted');
    expect(received).toEqual([]);
  });

  it('checks literal addresses even if the rules consider them public', async () => {
    await expect(
      guardedRequest(new URL(`http://127.0.0.1:${port}/`), {
        rules: { judge: () => 'public' },
      }),
    ).rejects.toThrow('must not be contacted');
    expect(received).toEqual([]);
  });

  it('does not send credentials in an address', async () => {
    await expect(
      guardedRequest(new URL(`http://a:b@localhost:${port}/`), {
        rules: anyAddress,
      }),
    ).rejects.toThrow('must not be contacted');
  });

  it('dials the address it has checked, even if the name then resolves to a private one', async () => {
    const answersOfTheName = ['93.184.216.34', '127.0.0.1'];
    let looked = 0;
    const resolve: ResolveAll = (_, callback) => {
      const address = answersOfTheName[looked % 2];
      looked += 1;
      callback(null, [{ address, family: 4 }]);
    };
    const ask = (signal?: AbortSignal) =>
      guardedRequest(new URL(`http://rebinding.example.org:${port}/`), {
        rules,
        resolve,
        signal,
      });

    // There is no test server at the public address; a second lookup would find the local one.
    await expect(ask(AbortSignal.timeout(PATIENCE_MS))).rejects.not.toThrow(
      'must not be contacted',
    );
    expect(looked).toBe(1);
    await expect(ask()).rejects.toThrow('must not be contacted');
    expect(looked).toBe(2);
    expect(received).toEqual([]);
  });

  it('reaches listed ranges by name', async () => {
    const answer = await guardedRequest(
      new URL(`http://hooks.example.org:${port}/`),
      {
        rules: new EgressRules({ allowedHosts: ['127.0.0.0/8'] }),
        resolve: (_, callback) =>
          callback(null, [{ address: '127.0.0.1', family: 4 }]),
      },
    );
    expect(await text(answer)).toBe('moved');
  });
});
