import { fillLake } from './fillLake';
import { randomServices } from './randomServices';
import { RecordedService } from './records';
import { startReadRoutes } from './startReadRoutes';
import { lakeDatabases } from '../../storage/__testUtils__/lakeDatabases';

/** Current time in the tests. */
export const NOW = Date.parse('2026-11-20T10:00:00Z');
export const HOUR = 3_600_000;

/** Returns a moment in UTC, in milliseconds since the Unix epoch. */
export function at(date: string, time = '12:00'): number {
  return Date.parse(`${date}T${time}:00Z`);
}

/** A lake of random services. */
export const LAKE = randomServices(
  { start: at('2026-08-01', '00:00'), end: NOW },
  { seed: 11, deploymentsEach: 200 },
);

/** A lake that is small enough to compute every number by hand. */
export const SMALL: RecordedService[] = [
  {
    name: 'till',
    entityRef: 'component:default/till',
    team: 'group:default/payments',
    project: 'system:default/shop',
    deployments: [
      { finishedAt: at('2026-04-20'), leadTimes: [10 * HOUR] },
      { finishedAt: at('2026-05-04'), leadTimes: [HOUR, 5 * HOUR, null] },
      {
        finishedAt: at('2026-05-05'),
        failure: 'guess',
        leadTimes: [2 * HOUR],
        recovery: { endedAt: at('2026-05-05', '12:45'), duration: HOUR * 0.75 },
      },
      { finishedAt: at('2026-05-06'), rework: 'declared', failure: 'incident' },
      { finishedAt: at('2026-05-07') },
    ],
    outages: [{ endedAt: at('2026-05-05', '12:45'), duration: HOUR / 2 }],
  },
];

/** Starts the read routes on a lake of these services. */
export type StartMetrics = (
  services?: RecordedService[],
  options?: Partial<Parameters<typeof startReadRoutes>[0]>,
  timeZone?: string,
) => ReturnType<typeof startReadRoutes>;

/** Runs tests on SQLite and PostgreSQL, with a separate lake for each start. */
export function describeMetrics(
  title: string,
  tests: (start: StartMetrics) => void,
): void {
  const databases = lakeDatabases();
  describe.each(databases.eachSupportedId())(`${title} on %s`, databaseId => {
    tests(async (services = SMALL, options = {}, timeZone = 'UTC') =>
      startReadRoutes({
        now: NOW,
        knex: await databases.init(databaseId),
        fill: db => fillLake(db, timeZone, services),
        ...options,
        config: { timeZone, ...options.config },
      }),
    );
  });
}
