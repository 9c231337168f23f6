import { readFileSync } from 'node:fs';
import { createServer, Server } from 'node:https';
import { AddressInfo } from 'node:net';
import { ConfigReader } from '@backstage/config';
import { readDevfileRules } from '../../../devfile/DevfileReader';
import { GitServer } from '../__testUtils__/gitServer';
import { RuledGitGuard } from './cloneProject';

const never = new AbortController().signal;

describe('RuledGitGuard', () => {
  let git: GitServer;
  let ca: string[];
  let redirecting: Server | undefined;

  beforeAll(async () => {
    git = await GitServer.start();
    ca = [readFileSync(git.caFile, 'utf8')];
  });

  afterAll(() => git.stop());
  afterEach(() => {
    redirecting?.closeAllConnections();
    redirecting?.close();
    redirecting = undefined;
  });

  function guard(hosts: string[], devfile: object = {}) {
    const config = new ConfigReader({
      backend: { reading: { allow: hosts.map(host => ({ host })) } },
      ideLauncher: { devfile },
    });
    return new RuledGitGuard({ rules: readDevfileRules(config), ca });
  }

  async function redirectTo(location: string): Promise<string> {
    redirecting = createServer(git.credentials, (_, response) => {
      response.writeHead(301, { location }).end();
    });
    await new Promise<void>(resolve => {
      redirecting?.listen(0, '127.0.0.1', resolve);
    });
    const { port } = redirecting.address() as AddressInfo;
    return `localhost:${port}`;
  }

  it('allows a repository of a listed host, and disables redirects of git', async () => {
    const { host } = new URL(git.url);
    expect(await guard([host]).admit(git.url, never)).toEqual({
      url: git.url,
      config: [['http.followRedirects', 'false']],
    });
  });

  it('follows a redirect to a listed host before git does', async () => {
    const host = await redirectTo(
      `${git.url}/info/refs?service=git-upload-pack`,
    );
    const admitted = await guard([host, new URL(git.url).host]).admit(
      `https://${host}/demo`,
      never,
    );
    expect(admitted).toMatchObject({ url: git.url });
  });

  it.each([
    'https://169.254.169.254/repo.git/info/refs',
    'https://elsewhere.example.org/repo.git/info/refs',
  ])('refuses a repository that redirects to %s', async location => {
    const host = await redirectTo(location);
    expect(await guard([host]).admit(`https://${host}/demo`, never)).toMatch(
      /is not allowed/,
    );
  });

  it.each(['https://127.0.0.1/x.git', 'https://2130706433/x.git'])(
    'refuses %s where any public server may be read',
    async address => {
      expect(
        await guard([], { hosts: 'public' }).admit(address, never),
      ).toMatch(/^host 127\.0\.0\.1 is not allowed/);
    },
  );

  it('reports a missing repository', async () => {
    const { host } = new URL(git.url);
    expect(
      await guard([host]).admit(`https://${host}/none.git`, never),
    ).toMatch(/answered 404$/);
  });
});
