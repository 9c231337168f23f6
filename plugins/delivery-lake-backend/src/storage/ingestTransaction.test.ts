import { createLake } from './__testUtils__/createLake';
import { ingestTransaction } from './DatabaseIngestStore';
import { lakeDatabases } from './__testUtils__/lakeDatabases';

const databases = lakeDatabases();

function failing(code: string): Error {
  return Object.assign(new Error(`Failed with ${code}`), { code });
}

describe.each(databases.eachSupportedId())('on %s', databaseId => {
  const start = async () => createLake(await databases.init(databaseId));

  it.each(['40001', '40P01', 'SQLITE_BUSY'])(
    'runs again after %s, without what the failed attempts wrote',
    async code => {
      const { knex } = await start();
      let attempts = 0;
      const answer = await ingestTransaction(knex, async tx => {
        attempts++;
        await tx('services').insert({ name: `attempt-${attempts}` });
        if (attempts < 3) {
          throw failing(code);
        }
        return 'done';
      });
      expect(answer).toBe('done');
      expect(await knex('services').pluck('name')).toEqual(['attempt-3']);
    },
  );

  it('stops retrying permanent errors', async () => {
    const { knex } = await start();
    let attempts = 0;
    const work = async (code: string) => {
      attempts++;
      throw failing(code);
    };
    await expect(ingestTransaction(knex, () => work('23505'))).rejects.toThrow(
      'Failed with 23505',
    );
    expect(attempts).toBe(1);
    attempts = 0;
    await expect(ingestTransaction(knex, () => work('40P01'))).rejects.toThrow(
      'Failed with 40P01',
    );
    expect(attempts).toBe(8);
  });
});

it('runs one at a time on PostgreSQL', async () => {
  const { knex } = await createLake(await databases.init('POSTGRES_18'));
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 5 }, () =>
      ingestTransaction(knex, async tx => {
        inside++;
        most = Math.max(most, inside);
        await tx.raw('SELECT pg_sleep(0.02)');
        inside--;
      }),
    ),
  );
  expect(most).toBe(1);
});
