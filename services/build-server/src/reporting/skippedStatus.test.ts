import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import { startBuildServer } from '../__testUtils__/startBuildServer.ts';

const INVOKE = '/generic-webhook-trigger/invoke?token=test-webhook-token';
const MAIN = 'a'.repeat(40);
const HEAD = 'b'.repeat(40);

/** A forge that accepts the status of every commit. */
async function startForge() {
  const seen: { sha: string; body: Record<string, string> }[] = [];
  const server = createServer(async (request, response) => {
    const [sha] = /[0-9a-f]{40}/.exec(request.url!)!;
    seen.push({ sha, body: (await json(request)) as Record<string, string> });
    response.writeHead(201).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { seen, url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

it.each([
  ['github', 'pending', 'pending', {}],
  ['gitea', 'pending', 'pending', {}],
  ['gitlab', 'skipped', 'running', { ref: 'fix' }],
  ['bitbucket-cloud', 'STOPPED', 'INPROGRESS', { refname: 'fix' }],
  ['bitbucket-server', 'CANCELLED', 'INPROGRESS', { ref: 'refs/heads/fix' }],
])(
  'a pull request with [skip ci] has a check at %s that says why it is not built',
  async (kind, skipped, pending, place) => {
    const forge = await startForge();
    const server = await startBuildServer({
      jobs: [
        {
          name: 'shop',
          source: { repository: 'http://127.0.0.1:1/acme/shop.git' },
          webhook: { token: 'hello-webhook' },
          pipelines: {},
        } as never,
      ],
      config: {
        ...{ executors: 0, pollSeconds: 0, git: { protocols: ['http'] } },
        portal: { baseUrl: 'http://127.0.0.1:1', appUrl: 'http://portal' },
        forges: {
          ours: {
            ...{ kind, url: 'http://127.0.0.1:1', apiUrl: forge.url },
            token: 'forge-token',
          },
        },
      },
    });
    const client = new BuildClient(server.url);
    const open = async (message: string) => {
      const { body } = await client.json(
        INVOKE,
        {
          object_kind: 'merge_request',
          project: { path_with_namespace: 'acme/shop' },
          object_attributes: {
            ...{ iid: 7, action: 'open' },
            ...{ source_branch: 'fix', target_branch: 'main' },
            ...{ source_project_id: 1, target_project_id: 1 },
            last_commit: { id: HEAD, message },
          },
        },
        { 'x-gitlab-event': 'Merge Request Hook' },
      );
      return body.jobs.shop;
    };
    try {
      const { body } = await client.json(INVOKE, {
        ...{ ref: 'refs/heads/main', after: MAIN },
        commits: [{ id: MAIN, message: 'Change [skip ci]' }],
      });
      expect(body.jobs.shop.triggered).toBe(false);
      expect((await open('Fix [skip ci]')).reason).toMatch(/^Skipped: /);
      await vi.waitFor(() => expect(forge.seen).toHaveLength(1), 20_000);
      const [{ sha, body: status }] = forge.seen;
      expect(sha).toBe(HEAD);
      expect(status).toMatchObject({ state: skipped, ...place });
      expect(status.description).toBe(
        'Not built: the commit message says [skip ci]. Push a commit without it, or run the job.',
      );
      expect(status.target_url ?? status.url).toBe(
        'http://portal/builds/shop%2FPR-7',
      );
      expect(status.context ?? status.name).toBe('slipway/shop/pr');
      // A commit that is built after all has the status of its build.
      expect((await open('Fix')).triggered).toBe(true);
      await vi.waitFor(
        () =>
          expect(forge.seen.at(-1)!.body).toMatchObject({
            state: pending,
            description: 'Build #1 is queued',
          }),
        20_000,
      );
      // Nobody waits for the check of a branch.
      expect(forge.seen.some(one => one.sha === MAIN)).toBe(false);
    } finally {
      await server.stop();
      forge.stop();
    }
  },
);
