import type { Knex } from 'knex';
import { DatabaseDeriver } from '../DatabaseDeriver';
import { dumpDerived } from './dumpDerived';
import { TestLake } from './TestLake';
import { lakeDatabases } from './lakeDatabases';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const NOON = Date.UTC(2026, 9, 20, 12);

/** Creates a deriver for days of the time zone, with an incident window of a day. */
export function createDeriver(knex: Knex, timeZone = 'UTC'): DatabaseDeriver {
  return new DatabaseDeriver({
    knex,
    dora: { incidentWindow: DAY },
    timeZone,
  });
}

/** Returns an empty lake, its deriver, and functions that read the derived data. */
async function setUpLake(knex: Knex, timeZone?: string) {
  const lake = await TestLake.create(knex);
  const deriver = createDeriver(knex, timeZone);
  const derive = async () => {
    await deriver.drain();
    return dumpDerived(knex);
  };
  const verdict = async (key: string) =>
    (await derive()).deployments.find(row => row.external_id === key);
  const durations = async (kind: number) =>
    (await derive()).durations
      .filter(row => row.kind === kind)
      .map(row => row.duration);
  return { knex, lake, deriver, derive, verdict, durations };
}

/** Runs tests on SQLite and PostgreSQL, with a separate lake for each set-up. */
export function describeDeriver(
  title: string,
  tests: (setUp: (timeZone?: string) => ReturnType<typeof setUpLake>) => void,
): void {
  const databases = lakeDatabases();
  describe.each(databases.eachSupportedId())(`${title} on %s`, databaseId => {
    tests(async timeZone =>
      setUpLake(await databases.init(databaseId), timeZone),
    );
  });
}
