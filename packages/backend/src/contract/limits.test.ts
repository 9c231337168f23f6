import { RedisServer } from '@slipway/e2e/src/processes/RedisServer.ts';
import { Answer, ContractPortal } from './__testUtils__/ContractPortal';
import { describeHostileRequests } from './__testUtils__/describeHostileRequests';
import {
  expectLimitHeaders,
  expectRefusal,
} from './__testUtils__/expectations';
import { Issuer } from './__testUtils__/Issuer';
import { DORA, ENTITIES, HISTORY, WORKSPACES } from './__testUtils__/routes';
import { externalAccess, TOKENS } from './__testUtils__/tokens';

// Tests the rate limits of group A across two replicas, which share them if Redis is available.
// Hostile requests go to the second replica, because starting a third portal would take seconds of
// CPU time. Without Redis there is only one portal, whose limits suffice for the default number of
// hostile requests.

let redis: RedisServer | undefined;
let narrowIssuer: Issuer;
let portal: ContractPortal;
let replica: ContractPortal | undefined;

beforeAll(async () => {
  narrowIssuer = await Issuer.start();
  redis = RedisServer.isInstalled() ? await RedisServer.start() : undefined;
  const configuration = {
    backend_auth_externalAccess: [
      ...externalAccess,
      { ...narrowIssuer.access, accessRestrictions: [{ plugin: 'catalog' }] },
    ],
    ...(redis && {
      slipway_rateLimit_store: 'redis',
      slipway_rateLimit_redis: redis.url,
    }),
  };
  [portal, replica] = await Promise.all([
    ContractPortal.start(configuration),
    redis || process.env.HOSTILE_RUNS
      ? ContractPortal.start({
          ...configuration,
          // Only users are limited: hostile requests come from services and anonymous callers.
          slipway_rateLimit_servicePerMinute: 1_000_000_000,
          slipway_rateLimit_anonymousPerMinute: 1_000_000_000,
        })
      : undefined,
  ]);
});

afterAll(async () => {
  await Promise.all([portal, replica, narrowIssuer].map(each => each?.stop()));
  await redis?.stop();
});

describe('limits', () => {
  const across = [WORKSPACES, DORA, `${HISTORY}?service=shop`, ENTITIES];

  it('allows each user 100 requests a minute across plugins and replicas', async () => {
    // The replicas have separate databases here, so each one signs its own sessions.
    const tokens = new Map([[portal, await portal.signIn('ada')]]);
    if (redis && replica) {
      tokens.set(replica, await replica.signIn('ada'));
    }
    const portals = [...tokens.keys()];
    const answers: Answer[] = [];
    for (let call = 0; call < 104; call++) {
      const asked = portals[call % portals.length];
      const path = across[call % across.length];
      answers.push(await asked.ask(path, { token: tokens.get(asked) }));
    }
    expect(new Set(answers.slice(0, 100).map(({ status }) => status))).toEqual(
      new Set([200]),
    );
    for (const refused of answers.slice(100)) {
      expectRefusal(refused, 429);
      expect(refused.headers.get('x-ratelimit-limit')).toBe('100');
      expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }

    const grace = await portal.ask(ENTITIES, {
      token: await portal.signIn('grace'),
    });
    expect(grace.status).toBe(200);
    expect(expectLimitHeaders(grace)).toEqual({ limit: 100, remaining: 99 });
  });

  it('allows a service token 1,000 requests a minute', async () => {
    const asks = Array.from({ length: 1_005 }, (_, call) => call);
    const statuses: number[] = [];
    // Twenty at a time, so that all are sent within the minute.
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        while (asks.pop() !== undefined) {
          const path = `${WORKSPACES}?status=Running`;
          const { status } = await portal.ask(path, { token: TOKENS.busy });
          statuses.push(status);
        }
      }),
    );
    expect(statuses.filter(status => status === 200)).toHaveLength(1_000);
    expect(statuses.filter(status => status === 429)).toHaveLength(5);
  });

  it('counts permitted and forbidden requests of a restricted token together', async () => {
    const fresh = () => narrowIssuer.token('narrow');
    for (const token of [async () => TOKENS.catalogOnly, fresh]) {
      const left: number[] = [];
      for (const [path, status] of [
        [ENTITIES, 200],
        [WORKSPACES, 403],
        [DORA, 403],
        [ENTITIES, 200],
      ] as const) {
        const answer = await portal.ask(path, { token: await token() });
        expect(answer.status).toBe(status);
        left.push(expectLimitHeaders(answer).remaining);
      }
      expect(left).toEqual([0, 1, 2, 3].map(n => left[0] - n));
    }
  });

  it("does not limit the portal's own routes", async () => {
    const answer = await portal.ask('/ide-launcher/options', {
      token: TOKENS.busy,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
  });
});

// Last, because it uses up the limits of the first replica.
describe('hostile requests', () => {
  describeHostileRequests(() => replica ?? portal);
});
