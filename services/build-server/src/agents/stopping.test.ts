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

it('stops a build at once that its agent is about to begin', async () => {
  const client = await bench.start([jobOf('true')], {
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
  });
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
