import { createServer } from 'node:https';
import { ConfigReader } from '@backstage/config';
import { GitServer } from '../../runtimes/local/__testUtils__/gitServer';
import { trustedWith } from '../../runtimes/local/projects/cloneProject';
import { DevfileFetch, readDevfileRules } from '../DevfileReader';
import { RefReader } from './RefReader';

const ONE = '1111111111111111111111111111111111111111';
const TWO = '2222222222222222222222222222222222222222';
const signal = new AbortController().signal;

/** Returns a line of git's protocol. */
function packet(line: string): string {
  return `${(line.length + 5).toString(16).padStart(4, '0')}${line}\n`;
}

const START = `${packet('# service=git-upload-pack')}0000`;

describe('RefReader', () => {
  let files: GitServer;
  const answers = new Map<string, { status?: number; body?: string }>();
  const server = createServer();
  let host: string;

  beforeAll(async () => {
    files = await GitServer.start();
    server.setSecureContext(files.credentials);
    server.on('request', (request, response) => {
      const { pathname, search } = new URL(request.url ?? '/', 'https://x');
      const { status = 200, body = '' } = answers.get(pathname) ?? {
        status: 404,
      };
      response.statusCode =
        search === '?service=git-upload-pack' ? status : 500;
      response.end(body);
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    host = `localhost:${typeof address === 'object' ? address?.port : ''}`;
  });

  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await files.stop();
  });

  function read(remote: string) {
    const allow = [{ host }, { host: new URL(files.url).host }];
    const rules = readDevfileRules(
      new ConfigReader({ backend: { reading: { allow } } }),
    );
    const ca = trustedWith(files.caFile);
    const fetch = new DevfileFetch({ rules, ca });
    return new RefReader({ rules, fetch }).read(new URL(remote), signal);
  }

  function readAnswer(body: string, status = 200) {
    answers.set('/acme/shop.git/info/refs', { body, status });
    return read(`https://${host}/acme/shop.git`);
  }

  it("reads branches, tags and the default branch in git's protocol", async () => {
    const lines = [
      `${TWO} HEAD\0multi_ack symref=HEAD:refs/heads/fix/cart object-format=sha1`,
      `${TWO} refs/heads/fix/cart`,
      `${ONE} refs/heads/main`,
      `${ONE} refs/pull/7/head`,
      `${ONE} refs/tags/v1`,
      `${TWO} refs/tags/v1^{}`,
    ];
    const body = `${START}${lines.map(packet).join('')}0000`;
    await expect(readAnswer(body)).resolves.toEqual({
      defaultBranch: 'fix/cart',
      branches: new Map([
        ['fix/cart', TWO],
        ['main', ONE],
      ]),
      tags: new Map([['v1', TWO]]),
      isComplete: true,
    });
  });

  it('reads a first line that is a branch, and commits in SHA-256', async () => {
    const commit = '3'.repeat(64);
    const line = packet(`${commit} refs/heads/main\0multi_ack`);
    const refs = await readAnswer(`${START}${line}0000`);
    expect(refs?.branches).toEqual(new Map([['main', commit]]));
    expect(refs?.defaultBranch).toBeUndefined();
  });

  it('reads an empty repository', async () => {
    const none = `${'0'.repeat(40)} capabilities^{}\0multi_ack`;
    const refs = await readAnswer(`${START}${packet(none)}0000`);
    expect(refs?.branches.size).toBe(0);
    expect(refs?.isComplete).toBe(true);
  });

  it('reads the start of a very long list', async () => {
    const line = packet(`${ONE} refs/heads/main`);
    const more = packet(`${ONE} refs/pull/1234567/head`).repeat(70_000);
    const refs = await readAnswer(START + line + more);
    expect(refs?.branches.size).toBe(1);
    expect(refs?.isComplete).toBe(false);
  });

  it('leaves out the line at which a very long list ends', async () => {
    const whole = packet(`${ONE} refs/heads/main`);
    const names = 'feature-'.repeat(30);
    const more = packet(`${ONE} refs/heads/${names}`).repeat(16_000);
    const refs = await readAnswer(START + whole + more);
    expect([...(refs?.branches.keys() ?? [])]).toEqual(['main', names]);
  });

  it('does not try every character of a long line', async () => {
    const before = process.cpuUsage();
    const refs = await readAnswer(START + 'a'.repeat(4 * 1024 * 1024));
    expect(refs?.branches.size).toBe(0);
    // Trying every character would block the process for more than six seconds.
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(3);
  });

  it('reads a plain file server', async () => {
    const refs = await read(files.url);
    expect([...(refs?.branches.keys() ?? [])]).toEqual(['main', 'next']);
  });

  it.each([
    ['<html>Sign in</html>', 200],
    ['', 200],
    ['', 401],
    ['', 403],
    ['', 404],
  ])('finds no repository in %j with status %d', async (body, status) => {
    await expect(readAnswer(body, status)).resolves.toBeUndefined();
  });

  it('reports a server that fails, and a host that is not allowed', async () => {
    await expect(readAnswer('', 503)).rejects.toThrow('answered 503');
    await expect(
      read('https://elsewhere.example.org/acme/shop.git'),
    ).rejects.toThrow(
      'cannot read https://elsewhere.example.org/acme/shop.git: host elsewhere.example.org is not allowed',
    );
  });
});
