import fc from 'fast-check';
import { dumpDerived } from './__testUtils__/dumpDerived';
import { aHistory, apply } from './__testUtils__/histories';
import { TestLake } from './__testUtils__/TestLake';
import { DatabaseDeriver } from './DatabaseDeriver';
import { lakeDatabases } from './__testUtils__/lakeDatabases';

const databases = lakeDatabases();

const INPUT_TABLES = [
  'deployments',
  'deployment_changes',
  'changes',
  'incidents',
  'service_repositories',
];
const DERIVED_TABLES = [
  'dirty_marks',
  'durations',
  'rollup_counts',
  'rollup_durations',
];

describe.each(databases.eachSupportedId())('on %s', databaseId => {
  const runs = Number(
    process.env.DERIVATION_RUNS ?? (databaseId === 'SQLITE_3' ? 100 : 15),
  );

  it(
    'derives the same bit by bit as all at once',
    async () => {
      const knex = await databases.init(databaseId);
      const lake = await TestLake.create(knex);
      const deriver = new DatabaseDeriver({
        knex,
        dora: { incidentWindow: 24 * 3_600_000 },
        timeZone: 'Europe/Berlin',
      });
      await fc.assert(
        fc.asyncProperty(aHistory(), async batches => {
          for (const table of [...INPUT_TABLES, ...DERIVED_TABLES]) {
            await knex(table).delete();
          }
          for (const { events, drain } of batches) {
            for (const event of events) {
              await apply(lake, event);
            }
            if (drain !== 'none') {
              await deriver.drain(drain === 'all' ? undefined : drain);
            }
          }
          await deriver.drain();
          const bitByBit = await dumpDerived(knex);
          expect(await deriver.hasDirty()).toBe(false);
          await knex('incidents').update({
            deployment_id: null,
            attribution: null,
            deployment_service_id: null,
            deployment_finished_at: null,
          });
          await knex('deployments').update({
            failed: 0,
            failure_cause: null,
            rework: 0,
            rework_cause: null,
            recovered_at: null,
            rolled_back_at: null,
          });
          for (const table of DERIVED_TABLES) {
            await knex(table).delete();
          }
          await deriver.rebuild();
          const atOnce = await dumpDerived(knex);
          expect(bitByBit).toEqual(atOnce);
          await deriver.rebuild();
          expect(await dumpDerived(knex)).toEqual(atOnce);
        }),
        {
          numRuns: runs,
          ...(process.env.DERIVATION_SEED && {
            seed: Number(process.env.DERIVATION_SEED),
          }),
        },
      );
    },
    20 * 60_000,
  );
});
