import fc from 'fast-check';
import {
  AttackLab,
  CYCLE_DAYS,
  TEAMS,
  type Snapshot,
} from '../__testUtils__/AttackLab.ts';

/** Number of histories; increased manually or nightly. */
const HISTORIES = Number(process.env.ATTACK_HISTORIES ?? 1_000);
/** Maximum number of answers: one bit for each, in a number that is exact. */
const MAX_ANSWERS = 45;
const ATTACKER = 'user:default/mallory';
const PEOPLE = [
  ATTACKER,
  ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(name => `user:default/${name}`),
];

type Act =
  | { kind: 'answer'; team?: string; daysAgo?: number }
  | { kind: 'complain'; category: string }
  | { kind: 'commit' }
  | { kind: 'erase' }
  | { kind: 'move'; team: string };

const act = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      {
        kind: fc.constant('answer' as const),
        team: fc.constantFrom(...TEAMS, 'a team of my own'),
        daysAgo: fc.integer({ min: 1, max: 3 * CYCLE_DAYS }),
      },
      { requiredKeys: ['kind'] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('complain' as const),
      category: fc.constantFrom('build', 'tests'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('commit' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      team: fc.constantFrom(...TEAMS),
    }),
  },
) satisfies fc.Arbitrary<Act>;

/** About every third action is the attacker's; sometimes days pass. */
const step = fc.record({
  person: fc.oneof(fc.constant(ATTACKER), fc.constantFrom(...PEOPLE)),
  act,
  daysAfter: fc.constantFrom(0, 0, 0, 0, 0, 0, 7, CYCLE_DAYS),
});

const history = fc.record({
  minimum: fc.integer({ min: 2, max: 5 }),
  teams: fc.array(fc.constantFrom(...TEAMS), {
    minLength: PEOPLE.length,
    maxLength: PEOPLE.length,
  }),
  steps: fc.array(step, { minLength: 8, maxLength: 20 }),
});

/**
 * Returns the smallest groups of answers that can be derived: answers that are included in the same
 * sums are indistinguishable, however sums are added and subtracted.
 */
function groupsOf(
  owners: readonly string[],
  sums: Iterable<ReadonlySet<number>>,
): Set<string>[] {
  const all = [...sums];
  const groups = new Map<string, Set<string>>();
  owners.forEach((owner, bit) => {
    const signature = all.map(sum => Number(sum.has(bit))).join('');
    if (signature.includes('1')) {
      groups.set(signature, (groups.get(signature) ?? new Set()).add(owner));
    }
  });
  return [...groups.values()];
}

describe('an attacker with time', () => {
  let lab: AttackLab;

  beforeAll(async () => {
    lab = await AttackLab.open();
  });

  afterAll(() => lab.dispose());

  /** The author of each answer, by its bit. */
  let owners: string[];

  async function perform(person: string, { ...done }: Act): Promise<void> {
    switch (done.kind) {
      case 'answer':
        if (owners.length < MAX_ANSWERS) {
          owners.push(person);
          await lab.answer(person, {
            bit: owners.length - 1,
            claims: {
              user_id: PEOPLE[1],
              ...(done.team && { team: done.team }),
              ...(done.daysAgo && {
                timestamp: new Date(
                  Date.parse('2026-11-16') - done.daysAgo * 86_400_000,
                ).toISOString(),
              }),
            },
          });
        }
        break;
      case 'complain':
        await lab.complain(person, done.category);
        break;
      case 'commit':
        await lab.commit(person);
        break;
      case 'erase':
        await lab.erase(person);
        break;
      default:
        lab.move(person, done.team);
    }
  }

  it(
    `cannot guess an answer better than from its group, in ${HISTORIES} histories`,
    async () => {
      let shown = 0;
      await fc.assert(
        fc.asyncProperty(history, async ({ minimum, teams, steps }) => {
          await lab.begin(minimum);
          owners = [];
          PEOPLE.forEach((person, index) => lab.move(person, teams[index]));
          const seen = new Map<string, ReadonlySet<number>>();
          const note = ({ sums }: Snapshot) =>
            sums.forEach(sum => seen.set([...sum].join(), sum));
          let before = await lab.askEverything();
          for (const { person, act: done, daysAfter } of steps) {
            await perform(person, done);
            // No action, by the attacker or others, has a visible effect before a cycle closes.
            const unmoved =
              person !== ATTACKER ||
              (await lab.askEverything()).text === before.text;
            expect(unmoved).toBe(true);
            if (daysAfter > 0) {
              lab.pass(daysAfter);
              before = await lab.askEverything();
              note(before);
            }
          }
          lab.pass(CYCLE_DAYS);
          note(await lab.askEverything());
          const groups = groupsOf(owners, seen.values());
          shown += groups.length;
          for (const group of groups) {
            expect(group.size).toBeGreaterThanOrEqual(minimum);
          }
        }),
        { numRuns: HISTORIES, seed: 20_261_122 },
      );
      // The test proves nothing if nothing is shown.
      expect(shown).toBeGreaterThan(HISTORIES / 2);
    },
    HISTORIES * 800 + 120_000,
  );
});
