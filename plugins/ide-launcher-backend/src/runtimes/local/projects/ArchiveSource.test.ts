import { readFileSync } from 'node:fs';
import { createServer, Server } from 'node:https';
import { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { ConfigReader } from '@backstage/config';
import { readDevfileRules } from '../../../devfile/DevfileReader';
import { GitServer } from '../__testUtils__/gitServer';
import { RuledArchiveSource } from './unpackProject';

const never = new AbortController().signal;

describe('RuledArchiveSource', () => {
  let git: GitServer;
  let server: Server;
  let host: string;
  const locations: Record<string, string> = {};

  beforeAll(async () => {
    // Only its certificate is used.
    git = await GitServer.start();
    server = createServer(git.credentials, ({ url = '' }, response) => {
      const location = locations[url];
      if (location) {
        response.writeHead(302, { location }).end();
      } else {
        response.writeHead(url === '/a.zip' ? 200 : 404).end('bytes');
      }
    });
    await new Promise<void>(resolve => {
      server.listen(0, '127.0.0.1', resolve);
    });
    host = `localhost:${(server.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await git.stop();
  });

  function open(address: string, devfile: object = {}) {
    const config = new ConfigReader({
      backend: { reading: { allow: [{ host }] } },
      ideLauncher: { devfile },
    });
    return new RuledArchiveSource({
      rules: readDevfileRules(config),
      ca: [readFileSync(git.caFile, 'utf8')],
    }).open(address, never);
  }

  it('reads an archive of a listed host, by a redirect too', async () => {
    locations['/latest.zip'] = '/a.zip';
    for (const name of ['a.zip', 'latest.zip']) {
      const body = await open(`https://${host}/${name}`);
      expect(typeof body === 'string' || String(await buffer(body))).toBe(
        'bytes',
      );
    }
  });

  it.each([
    'https://169.254.169.254/a.zip',
    'https://2130706433/a.zip',
    'https://[::1]/a.zip',
    'https://elsewhere.example.org/a.zip',
  ])('reads nothing from %s, by a redirect neither', async address => {
    locations['/sly.zip'] = address;
    for (const asked of [address, `https://${host}/sly.zip`]) {
      expect(await open(asked)).toMatch(/is not allowed/);
      expect(await open(asked, { hosts: 'public' })).toMatch(
        /is not allowed|cannot be reached/,
      );
    }
  });

  it('reports a missing archive', async () => {
    expect(await open(`https://${host}/gone.zip`)).toBe(
      `https://${host}/gone.zip answered 404`,
    );
  });
});
