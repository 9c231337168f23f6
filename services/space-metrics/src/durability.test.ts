import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { openDatabase } from '@slipway/service-kit';
import {
  createTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { KEY } from './__testUtils__/startSpaceMetrics.ts';

/** Raised by hand; each takes about three seconds. */
const KILLS = Number(process.env.KILLS ?? 3);

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>;
let testDatabase: TestDatabase | undefined;

afterEach(() => testDatabase?.dispose());

/** The service as a process of its own. */
async function startProcess(
  database: TestDatabase['config'],
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, '__testUtils__/runForKill.ts')],
    {
      env: {
        ...process.env,
        SPACE_DATABASE: JSON.stringify(database),
        SPACE_KEY: KEY,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', data => {
      const line = String(data);
      if (line.startsWith('http')) {
        resolve(line.trim());
      }
    });
    child.once('exit', code => reject(new Error(`It ended with ${code}`)));
  });
  return { child, url };
}

it.each(testDatabaseClients())(
  `keeps each acknowledged submission exactly once through ${KILLS} kill -9 (%s)`,
  async client => {
    testDatabase = await createTestDatabase(client);
    const { config } = testDatabase;
    const acknowledged = new Set<string>();
    for (let round = 0; round < KILLS; round += 1) {
      const { child, url } = await startProcess(config);
      const ended = new Promise(resolve => {
        child.once('exit', resolve);
      });
      let alive = true;
      const submit = async (sender: number) => {
        // Each is of another person: of one, the last of a cycle counts.
        for (let number = 0; alive; number += 1) {
          try {
            const response = await fetch(`${url}/api/v1/surveys/pulse/submit`, {
              method: 'POST',
              headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
              body: JSON.stringify({
                user_id: `user-${round}-${sender}-${number}`,
                responses: {
                  overall_satisfaction: 4,
                  productivity_this_week: 4,
                },
              }),
            });
            const body = await response.json();
            expect(response.status).toBe(201);
            acknowledged.add(body.survey_id);
          } catch (error) {
            if (alive) {
              throw error;
            }
          }
        }
      };
      const senders = Array.from({ length: 8 }, (_, sender) => submit(sender));
      const before = acknowledged.size;
      await vi.waitUntil(() => acknowledged.size > before + 50 * (round + 1), {
        timeout: 20_000,
        interval: 1,
      });
      alive = false;
      child.kill('SIGKILL');
      await Promise.all([...senders, ended]);
    }

    const database = await openDatabase(config, { root: '/' });
    const rows: { id: string }[] = await database
      .knex('pulse_surveys')
      .select('id');
    const stored = rows.map(({ id }) => id);
    expect(new Set(stored).size).toBe(stored.length);
    expect([...acknowledged].filter(id => !stored.includes(id))).toEqual([]);
    // The numbers are of the same transactions.
    const total = await database
      .knex('daily_totals')
      .where({ team: '*', measure: 'survey.count' })
      .sum({ count: 'total' })
      .first();
    expect(Number(total?.count)).toBe(stored.length);
    await database.close();
  },
  KILLS * 30_000,
);
