import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import { startBuildServer } from '../__testUtils__/startBuildServer.ts';

interface Received {
  path: string;
  body: { body?: string; text?: string; content?: { raw: string } };
}

let received: Received[];
let receiver: Server;
let server: Awaited<ReturnType<typeof startBuildServer>>;
let client: BuildClient;

const SHOP = 'https://forge.test/shop/cart.git';
const PARAMETERS = [{ name: 'HOW', default: 'true' }];
const PATIENCE = { timeout: 20_000, interval: 50 };

/** Starts a receiver of chat messages and comments, and a build server that sends them to it. */
beforeAll(async () => {
  received = [];
  receiver = createServer(async (request, response) => {
    received.push({
      path: request.url!,
      body: JSON.parse(await text(request)),
    });
    response.writeHead(201).end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => {
    receiver.once('listening', resolve);
  });
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const forge = {
    url: 'https://forge.test',
    token: 'forge-token',
    comments: true,
  };
  server = await startBuildServer({
    jobs: [
      {
        name: 'shop',
        source: { repository: SHOP },
        webhook: { token: 'hello-webhook', refs: ['refs/pull/**'] },
        notify: ['slack', 'matter', 'unknown'],
        steps: [{ name: 'Run', run: 'true' }],
      },
      {
        name: 'plain',
        notify: ['slack', 'matter'],
        parameters: PARAMETERS,
        steps: [{ name: '<!channel> @all [x](http://evil)', run: '$HOW' }],
      },
      {
        name: 'shown',
        publicBadge: true,
        parameters: PARAMETERS,
        steps: [{ name: 'Run', run: '$HOW' }],
      },
    ],
    config: {
      portal: { baseUrl: 'http://127.0.0.1:1', appUrl: 'http://portal' },
      chats: {
        slack: { kind: 'slack', url: `${url}/slack` },
        matter: { kind: 'mattermost', url: `${url}/matter` },
      },
      forges: {
        ours: { ...forge, kind: 'gitea', apiUrl: `${url}/api` },
        cloud: {
          ...forge,
          kind: 'bitbucket-cloud',
          apiUrl: `${url}/api/cloud`,
        },
        server: {
          ...forge,
          kind: 'bitbucket-server',
          apiUrl: `${url}/api/server`,
        },
      },
    },
  });
  client = new BuildClient(server.url);
});

afterAll(async () => {
  await server?.stop();
  receiver?.close();
});

it('notifies chats of broken and fixed builds, once', async () => {
  for (const how of ['true', 'false', 'false', 'true', 'true']) {
    await client.build('plain', { HOW: how });
  }
  const chats = () => received.filter(({ path }) => !path.includes('/api/'));
  await vi.waitFor(() => expect(chats()).toHaveLength(4), PATIENCE);
  const said = (path: string) =>
    received.filter(one => one.path === path).map(({ body }) => body.text);
  expect(said('/slack').sort()).toEqual([
    'plain #2 is broken: &lt;!channel&gt; @all [x](http://evil) failed: it ended with exit code 1\nhttp://portal/builds/plain/2',
    'plain #4 is fixed\nhttp://portal/builds/plain/4',
  ]);
  expect(said('/matter').join(' ')).not.toMatch(/@all|\[x\]/);
});

it('shows the last result in public badges, and to CCTray', async () => {
  const nobody = new BuildClient(server.url, null);
  const badge = async () => (await nobody.get('/job/shown/badge.svg')).text;
  expect(await badge()).toContain('unknown');
  for (const how of ['false', 'true']) {
    await client.build('shown', { HOW: how });
  }
  expect(await badge()).toContain('passing');
  expect((await nobody.get('/job/shop/badge.svg')).status).toBe(404);
  expect((await nobody.get('/cc.xml')).status).toBe(401);
  expect((await client.get('/cc.xml')).text).toContain(
    '<Project name="shown" activity="Sleeping" lastBuildStatus="Success" lastBuildLabel="2"',
  );
});

it('comments on pull requests at every forge', async () => {
  // The repository does not exist, so the pull request's build fails.
  await client.json(
    '/generic-webhook-trigger/invoke?token=test-webhook-token',
    {
      action: 'opened',
      number: 7,
      repository: { id: 1, clone_url: SHOP },
      pull_request: {
        head: { sha: 'a'.repeat(40), ref: 'fix', repo: { id: 1 } },
        base: { ref: 'main', repo: { id: 1 } },
      },
    },
    { 'x-github-event': 'pull_request' },
  );
  const commentAt = (path: string) =>
    received.find(one => one.path === path)?.body;
  await vi.waitFor(() => {
    const comments = [
      commentAt('/api/repos/shop/cart/issues/7/comments')?.body,
      commentAt('/api/cloud/repositories/shop/cart/pullrequests/7/comments')
        ?.content?.raw,
      commentAt('/api/server/projects/shop/repos/cart/pull-requests/7/comments')
        ?.text,
    ];
    for (const comment of comments) {
      expect(comment).toMatch(
        /^Build \[shop #1\]\(http:\/\/portal\/builds\/shop\/1\) failed: `Check out failed/,
      );
    }
  }, PATIENCE);
});
