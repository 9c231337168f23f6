import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import { startBuildServer } from '../__testUtils__/startBuildServer.ts';

it('notifies chats and pull requests of broken and fixed builds, once', async () => {
  const received: {
    path: string;
    body: { body?: string; text?: string; content?: { raw: string } };
  }[] = [];
  const receiver = createServer(async (request, response) => {
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
  const server = await startBuildServer({
    jobs: [
      {
        name: 'shop',
        source: { repository: 'https://forge.test/shop/cart.git' },
        webhook: { token: 'hello-webhook', refs: ['refs/pull/**'] },
        notify: ['slack', 'matter', 'unknown'],
        steps: [{ name: 'Run', run: 'true' }],
      },
      {
        name: 'plain',
        notify: ['slack', 'matter'],
        publicBadge: true,
        parameters: [{ name: 'HOW', default: 'true' }],
        steps: [{ name: '<!channel> @all [x](http://evil)', run: '$HOW' }],
      },
    ],
    config: {
      portal: { baseUrl: 'http://127.0.0.1:1', appUrl: 'http://portal' },
      chats: {
        slack: { kind: 'slack', url: `${url}/slack` },
        matter: { kind: 'mattermost', url: `${url}/matter` },
      },
      forges: {
        ours: {
          kind: 'gitea',
          url: 'https://forge.test',
          apiUrl: `${url}/api`,
          token: 'forge-token',
          comments: true,
        },
        cloud: {
          kind: 'bitbucket-cloud',
          url: 'https://forge.test',
          apiUrl: `${url}/api/cloud`,
          token: 'forge-token',
          comments: true,
        },
        server: {
          kind: 'bitbucket-server',
          url: 'https://forge.test',
          apiUrl: `${url}/api/server`,
          token: 'forge-token',
          comments: true,
        },
      },
    },
  });
  const client = new BuildClient(server.url);
  const nobody = new BuildClient(server.url, null);
  const badge = async () => (await nobody.get('/job/plain/badge.svg')).text;
  try {
    expect(await badge()).toContain('unknown');
    for (const how of ['true', 'false', 'false', 'true', 'true']) {
      await client.build('plain', { HOW: how });
    }
    const chats = () => received.filter(({ path }) => !path.includes('/api/'));
    await vi.waitFor(() => expect(chats()).toHaveLength(4), {
      timeout: 15_000,
      interval: 50,
    });
    const said = (path: string) =>
      received.filter(one => one.path === path).map(({ body }) => body.text);
    expect(said('/slack').sort()).toEqual([
      'plain #2 is broken: &lt;!channel&gt; @all [x](http://evil) failed: it ended with exit code 1\nhttp://portal/builds/plain/2',
      'plain #4 is fixed\nhttp://portal/builds/plain/4',
    ]);
    expect(said('/matter').join(' ')).not.toMatch(/@all|\[x\]/);
    expect(await badge()).toContain('passing');
    expect((await nobody.get('/job/shop/badge.svg')).status).toBe(404);
    expect((await nobody.get('/cc.xml')).status).toBe(401);
    expect((await client.get('/cc.xml')).text).toContain(
      '<Project name="plain" activity="Sleeping" lastBuildStatus="Success" lastBuildLabel="5"',
    );

    // The repository does not exist, so the pull request's build fails.
    await client.json(
      '/generic-webhook-trigger/invoke?token=test-webhook-token',
      {
        action: 'opened',
        number: 7,
        repository: { id: 1, clone_url: 'https://forge.test/shop/cart.git' },
        pull_request: {
          head: { sha: 'a'.repeat(40), ref: 'fix', repo: { id: 1 } },
          base: { ref: 'main', repo: { id: 1 } },
        },
      },
      { 'x-github-event': 'pull_request' },
    );
    const comments = [
      '/api/repos/shop/cart/issues/7/comments',
      '/api/cloud/repositories/shop/cart/pullrequests/7/comments',
      '/api/server/projects/shop/repos/cart/pull-requests/7/comments',
    ];
    await vi.waitFor(
      () => {
        const bodies = comments.map(
          one => received.find(({ path }) => path === one)?.body,
        );
        const texts = [
          bodies[0]?.body,
          bodies[1]?.content?.raw,
          bodies[2]?.text,
        ];
        for (const comment of texts) {
          expect(comment).toMatch(
            /^Build \[shop #1\]\(http:\/\/portal\/builds\/shop\/1\) failed: `Check out failed/,
          );
        }
      },
      { timeout: 20_000, interval: 50 },
    );
  } finally {
    await server.stop();
    receiver.close();
  }
});
