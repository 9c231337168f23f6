import { testDatabaseClients } from '@slipway/service-kit/testing';
import fc from 'fast-check';
import {
  MOST_ROWS,
  ReleaseLab,
  type Row,
} from '../__testUtils__/ReleaseLab.ts';
import { ALL_TEAMS } from '../people/team.ts';
import type { Period } from '../periods/Period.ts';
import { cutReleases } from './cutReleases.ts';

const TEAMS = ['red', 'green', 'blue'];
const DAYS = 8;
const PEOPLE = 7;

const rows = fc.array(
  fc.record<Row>({
    person: fc.integer({ min: 1, max: PEOPLE }),
    team: fc.constantFrom(...TEAMS),
    day: fc.integer({ min: 100, max: 100 + DAYS - 1 }),
  }),
  { minLength: 1, maxLength: MOST_ROWS },
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
          cutReleases(
            all.map(row => ({ ...row, people: 1 })),
            { minimum },
          )
            .within({ team, periods: everyPeriod })
            .map(
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
      cutReleases(people, { minimum: 3 }).within({
        team: 'red',
        periods: [{ start: 90, end: 120 }],
      }),
    ).toEqual([[{ team: 'red', from: 100, to: 100 }]]);
  });
});

describe.each(testDatabaseClients())('sums read from %s', client => {
  const questions = { teams: [...TEAMS, ALL_TEAMS], periods: everyPeriod };

  it.each([2, 3])(
    'tell of no group smaller than %i, whatever comes and goes',
    async minimum => {
      const lab = await ReleaseLab.open(client, { minimum });
      const expectSafe = async (all: readonly Row[]) =>
        expectNobodyFound(
          smallestGroups(all, await lab.shownSums(questions)),
          minimum,
        );
      const property = fc.asyncProperty(rows, async all => {
        const half = Math.floor(all.length / 2);
        await lab.add(all.slice(half), all);
        await expectSafe(all);
        // The other half comes late, in between.
        await lab.add(all.slice(0, half), all);
        await expectSafe(all);
        for (let person = 1; person <= PEOPLE; person += 1) {
          await lab.erase(person);
          await expectSafe(all);
        }
        const left = await lab.shownSums(questions);
        expect(left.every(({ size }) => size === 0)).toBe(true);
      });
      try {
        await fc.assert(property, { numRuns: client === 'sqlite' ? 20 : 6 });
      } finally {
        await lab.dispose();
      }
    },
    120_000,
  );
});
