import fc from 'fast-check';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { migrate } from '@slipway/service-kit';
import { DatabaseCognitiveLoadStore } from '../cognitive-load/DatabaseCognitiveLoadStore.ts';
import { DatabaseLedger } from '../ledger/DatabaseLedger.ts';
import { DatabaseMetricsStore } from '../metrics/DatabaseMetricsStore.ts';
import { ReleasedReader } from '../metrics/ReleasedReader.ts';
import { DatabasePersonStore } from '../people/DatabasePersonStore.ts';
import { ALL_TEAMS } from '../people/team.ts';
import type { Period } from '../periods/Period.ts';
import { DatabaseReleases } from './DatabaseReleases.ts';
import { releasesOf } from './releasesOf.ts';

interface Row {
  person: number;
  team: string;
  day: number;
}

const TEAMS = ['red', 'green', 'blue'];
const DAYS = 8;

const rows = fc.array(
  fc.record<Row>({
    person: fc.integer({ min: 1, max: 7 }),
    team: fc.constantFrom(...TEAMS),
    day: fc.integer({ min: 100, max: 100 + DAYS - 1 }),
  }),
  { minLength: 1, maxLength: 24 },
);

const everyPeriod: Period[] = [];
for (let start = 100; start < 100 + DAYS; start += 1) {
  for (let end = start + 1; end <= 100 + DAYS; end += 1) {
    everyPeriod.push({ start, end });
  }
}

/**
 * What an attacker can work out: rows that are in the same shown sums cannot be told
 * apart, and whatever is added to or taken from shown sums holds all of them or none.
 * So the smallest groups anybody can get at are the sets of such rows.
 */
function smallestGroups(
  all: readonly Row[],
  shownSums: readonly ReadonlySet<number>[],
): Row[][] {
  const groups = new Map<string, Row[]>();
  all.forEach((row, index) => {
    const signature = shownSums
      .map(sum => (sum.has(index) ? '1' : '0'))
      .join('');
    if (signature.includes('1')) {
      groups.set(signature, [...(groups.get(signature) ?? []), row]);
    }
  });
  return [...groups.values()];
}

function expectNobodyFound(groups: readonly Row[][], minimum: number): void {
  for (const group of groups) {
    expect(
      new Set(group.map(({ person }) => person)).size,
    ).toBeGreaterThanOrEqual(minimum);
  }
}

describe('what differences of teams and periods tell', () => {
  it('is never about fewer people than the minimum', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 2, max: 4 }), (all, minimum) => {
        const shown = [...TEAMS, ALL_TEAMS].flatMap(team =>
          releasesOf(
            all.map(row => ({ ...row, people: 1 })),
            { minimum, team, periods: everyPeriod },
          ).map(
            days =>
              new Set(
                all.flatMap((row, index) =>
                  days.some(
                    ({ team: name, from, to }) =>
                      name === row.team && row.day >= from && row.day <= to,
                  )
                    ? [index]
                    : [],
                ),
              ),
          ),
        );
        expectNobodyFound(smallestGroups(all, shown), minimum);
      }),
      { numRuns: 500 },
    );
  });

  it('still shows a group that is large enough', () => {
    const people = [1, 2, 3].map(person => ({
      person,
      people: 1,
      team: 'red',
      day: 100,
    }));
    expect(
      releasesOf(people, {
        minimum: 3,
        team: 'red',
        periods: [{ start: 90, end: 120 }],
      }),
    ).toEqual([[{ team: 'red', from: 100, to: 100 }]]);
  });
});

describe.each(testDatabaseClients())('sums read from %s', client => {
  /**
   * Each row has a score that is a power of two, so a sum tells of which rows it is:
   * what is checked is what the service would answer, not how it came to it.
   */
  it.each([2, 3])(
    'tell of no group smaller than %i, whatever comes and goes',
    async minimum => {
      const { database, dispose } = await openTestDatabase(client);
      await migrate(database, {
        directory: new URL('../../migrations/', import.meta.url),
      });
      const ledger = new DatabaseLedger({ marksReleases: true });
      const loads = new DatabaseCognitiveLoadStore({ database, ledger });
      const people = new DatabasePersonStore({ database, ledger });
      const releases = new DatabaseReleases({
        database,
        minimumGroupSize: minimum,
      });
      const reader = new ReleasedReader({
        store: new DatabaseMetricsStore(database),
        releases,
      });
      const shownSums = async () => {
        const sums: Set<number>[] = [];
        for (const team of [...TEAMS, ALL_TEAMS]) {
          const released = await reader.read('load', {
            team,
            periods: everyPeriod,
            measures: ['load.count', 'load.index_thousandths'],
          });
          for (const { shown } of released) {
            const sum = shown?.totals['load.index_thousandths'] ?? 0;
            sums.push(
              new Set(
                Array.from({ length: 24 }, (_, bit) => bit).filter(
                  bit => Math.floor(sum / 2 ** bit) % 2 === 1,
                ),
              ),
            );
          }
        }
        return sums;
      };
      let run = 0;
      try {
        await fc.assert(
          fc.asyncProperty(rows, async all => {
            run += 1;
            // The newest half comes late, and in no order.
            const half = Math.floor(all.length / 2);
            for (const part of [all.slice(half), all.slice(0, half)]) {
              await Promise.all(
                part.map(row => {
                  const bit = all.indexOf(row);
                  const score = 2 ** bit / 1_000;
                  return loads.add({
                    id: `tlx_${run}_${bit}`,
                    personHash: String(row.person),
                    team: row.team,
                    day: row.day,
                    occurredAt: row.day,
                    task: 'test',
                    scores: {
                      mental_demand: score,
                      physical_demand: score,
                      temporal_demand: score,
                      performance: score,
                      effort: score,
                      frustration: score,
                    },
                  });
                }),
              );
              expectNobodyFound(
                smallestGroups(all, await shownSums()),
                minimum,
              );
            }
            await people.erase('1');
            const left = all.filter(({ person }) => person !== 1);
            const sums = await shownSums();
            expectNobodyFound(
              smallestGroups(all, sums).map(group =>
                group.filter(row => left.includes(row)),
              ),
              minimum,
            );
            for (let person = 2; person <= 7; person += 1) {
              await people.erase(String(person));
            }
            expect((await shownSums()).every(({ size }) => size === 0)).toBe(
              true,
            );
          }),
          { numRuns: client === 'sqlite' ? 40 : 12 },
        );
      } finally {
        await dispose();
      }
    },
    120_000,
  );
});
