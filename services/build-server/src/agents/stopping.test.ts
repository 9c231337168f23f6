import { readdir } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type AgentClaim, ServerLink } from '../agent/ServerLink.ts';
import { Bench, jobOf } from '../__testUtils__/Bench.ts';
import { startAgent, type TestAgent } from '../__testUtils__/startAgent.ts';
import { TRIGGER_TOKEN } from '../__testUtils__/startBuildServer.ts';

let bench: Bench;
let agent: TestAgent | undefined;

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(async () => {
  await agent?.stop();
  await bench.close();
});

/** Starts a server that runs nothing itself. @returns a client that may trigger and manage agents. */
function serve(run: string, config: Record<string, unknown> = {}) {
  return bench.start([jobOf(run)], {
    executors: 0,
    auth: {
      users: [
        {
          name: 'dev',
          key: TRIGGER_TOKEN,
          scopes: ['read', 'trigger', 'admin'],
        },
      ],
    },
    ...config,
  });
}

it('stops at once a build that its agent is about to begin', async () => {
  const client = await serve('true');
  /** A link that accepts builds only after a person has stopped them. */
  class LateLink extends ServerLink {
    override async accept(claim: AgentClaim): Promise<void> {
      expect((await client.post('/job/job/1/stop')).status).toBe(302);
      await super.accept(claim);
    }
  }
  agent = await startAgent(client, { Link: LateLink });
  await client.trigger('job');
  await vi.waitFor(
    async () => {
      const { body } = await client.get('/job/job/1/api/json');
      expect(body).toMatchObject({
        result: 'ABORTED',
        reason: 'Stopped by token:dev',
      });
    },
    { timeout: 10_000, interval: 100 },
  );
  expect(await client.log('/job/job/1/')).toBe(
    '\n==> Stopped by token:dev\nFinished: ABORTED\n',
  );
});

/** Starts a proxy for a server, which drops what is sent, without an error, once it falls silent. */
async function forwardTo(url: string) {
  const sockets: Socket[] = [];
  const state = { isSilent: false };
  const server = createServer(near => {
    const far = connect(Number(new URL(url).port), '127.0.0.1');
    sockets.push(near, far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      from.on('data', bytes => state.isSilent || to.write(bytes));
      from.on('close', () => state.isSilent || to.destroy());
      from.on('error', () => to.destroy());
    }
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fallSilent() {
      state.isSilent = true;
    },
    close() {
      sockets.forEach(socket => socket.destroy());
      server.close();
    },
  };
}

it('ends builds by the end of their lease if the server is silent', async () => {
  const client = await serve(
    `trap 'touch ${bench.scratch}/ended; exit 1' TERM; echo ready; sleep 60 & wait`,
    { agents: { leaseSeconds: 3 } },
  );
  const proxy = await forwardTo(client.url);
  /** A link through the proxy. */
  class ProxiedLink extends ServerLink {
    constructor(options: ConstructorParameters<typeof ServerLink>[0]) {
      super({ ...options, url: proxy.url });
    }
  }
  agent = await startAgent(client, { Link: ProxiedLink });
  const build = await client.started(await client.trigger('job'));
  await client.logHas(build, 'ready');
  proxy.fallSilent();
  // A request to a silent server only fails after 15 s.
  await vi.waitFor(
    async () => expect(await readdir(bench.scratch)).toEqual(['ended']),
    { timeout: 13_000, interval: 100 },
  );
  proxy.close();
});
