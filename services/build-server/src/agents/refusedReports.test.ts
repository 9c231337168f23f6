import {
  type AgentClaim,
  RefusedError,
  ServerLink,
} from '../agent/ServerLink.ts';
import { Bench } from '../__testUtils__/Bench.ts';
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

/** A link whose artifacts the server refuses. */
class RefusedLink extends ServerLink {
  override async artifact(): Promise<void> {
    throw new RefusedError(413, 'The disk is full');
  }
}

/** A link whose first outcome the server refuses. */
class OutcomeLink extends ServerLink {
  #refusals = 1;

  override async finish(
    claim: AgentClaim,
    outcome: Parameters<ServerLink['finish']>[1],
  ): Promise<void> {
    if (this.#refusals > 0) {
      this.#refusals -= 1;
      throw new RefusedError(400, 'tests is too large');
    }
    await super.finish(claim, outcome);
  }
}

it.each([
  ['artifact', RefusedLink, 'An artifact was refused: The disk is full'],
  ['outcome', OutcomeLink, 'The outcome was refused: tests is too large'],
])(
  'a log ends with the failure of a build whose %s is refused',
  async (_what, Link, reason) => {
    const client = await bench.start(
      [
        {
          name: 'job',
          steps: [{ name: 'Run', run: 'echo x > out.txt' }],
          artifacts: ['out.txt'],
        },
      ],
      {
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
      },
    );
    agent = await startAgent(client, { Link });
    expect(await client.build('job')).toMatchObject({
      result: 'FAILURE',
      reason,
    });
    expect(await client.log('/job/job/1/')).toBe(
      `Triggered by token:dev\n==> Run\nDiscarded SUCCESS\n\n==> ${reason}\nFinished: FAILURE\n`,
    );
  },
);
