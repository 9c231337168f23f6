import { openDatabase } from '@slipway/service-kit';
import {
  createTestDatabase,
  killDuring,
  startProcess,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { KEY } from './__testUtils__/startSpaceMetrics.ts';

/** Number of kills; increase it manually. Each takes about three seconds. */
const KILLS = Number(process.env.KILLS ?? 3);

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>;
let testDatabase: TestDatabase | undefined;

afterEach(() => testDatabase?.dispose());

/** Starts the service as a separate process. */
function startSpaceProcess(database: TestDatabase['config']) {
  return startProcess({
    module: new URL('service.ts', import.meta.url),
    name: 'spaceMetrics',
    config: {
      database,
      auth: { apiKeys: [{ name: 'test', key: KEY }] },
      rateLimit: { enabled: false },
      privacy: { hashKey: 'test-hash-key' },
    },
  });
}

it.each(testDatabaseClients())(
  `keeps each acknowledged submission exactly once through ${KILLS} kill -9 (%s)`,
  async client => {
    testDatabase = await createTestDatabase(client);
    const { config } = testDatabase;
    const acknowledged = new Set<string>();
    for (let round = 0; round < KILLS; round += 1) {
      const running = await startSpaceProcess(config);
      const submit = async (sender: number, turn: number) => {
        const response = await fetch(
          `${running.url}/api/v1/surveys/pulse/submit`,
          {
            method: 'POST',
            headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
            body: JSON.stringify({
              // Each answer is from another person, because only a person's last answer in a cycle
              // counts.
              user_id: `user-${round}-${sender}-${turn}`,
              responses: { overall_satisfaction: 4, productivity_this_week: 4 },
            }),
          },
        );
        const body = await response.json();
        expect(response.status).toBe(201);
        acknowledged.add(body.survey_id);
      };
      const before = acknowledged.size;
      await killDuring(running, {
        works: Array.from(
          { length: 8 },
          (_, sender) => (turn: number) => submit(sender, turn),
        ),
        isEnough: () => acknowledged.size > before + 50 * (round + 1),
        timeoutMs: 100_000,
      });
    }

    const database = await openDatabase(config, { root: '/' });
    const rows: { id: string }[] = await database
      .knex('pulse_surveys')
      .select('id');
    const stored = rows.map(({ id }) => id);
    expect(new Set(stored).size).toBe(stored.length);
    expect([...acknowledged].filter(id => !stored.includes(id))).toEqual([]);
    // The numbers are written in the same transactions.
    const total = await database
      .knex('daily_totals')
      .where({ team: '*', measure: 'survey.count' })
      .sum({ count: 'total' })
      .first();
    expect(Number(total?.count)).toBe(stored.length);
    await database.close();
  },
  KILLS * 120_000,
);
