import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { openStore } from '../../__testUtils__/openStore.ts';
import { testEngines } from '../../__testUtils__/startAnalytics.ts';
import type { Field, Select } from '../../query/language/Expression.ts';
import type { Fold } from '../../query/language/functionNames.ts';
import type { EventStore } from '../EventStore.ts';

const PEOPLE = 400;
const STEPS = 4;
const SECOND_MS = 1_000;

/** Random events: many events at few times, some of which match several steps. */
const people = fc.sample(
  fc.array(
    fc.record({
      at: fc.integer({ min: -20, max: 40 }),
      steps: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(0, 1, 2, 4, 8) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 15 }) },
      ),
      // The bits of exclusions follow the bits of the steps.
      excludes: fc.oneof(
        { weight: 6, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 7 }) },
      ),
    }),
    { minLength: 1, maxLength: 24 },
  ),
  { seed: 20261123, numRuns: PEOPLE },
);
const events = people.flatMap((own, person) =>
  own.map(({ at, steps, excludes }, index) => ({
    projectId: 'shop',
    uuid: `00000000-0000-4000-8000-${(person * 100 + index)
      .toString(16)
      .padStart(12, '0')}`,
    event: 'a',
    distinctId: `person-${person}`,
    // Before and after the Unix epoch.
    timestamp: at * SECOND_MS,
    createdAt: 0,
    properties: JSON.stringify({
      steps,
      marks: steps + excludes * 2 ** STEPS,
    }),
  })),
);

/** Selects, for every person, the times of the steps that they reached. */
function timesOf(fold: Fold & { kind: 'funnel' }): Select {
  const field = (index: number, of: Field['of']): Field => ({
    kind: 'field',
    index,
    of,
  });
  const steps = {
    kind: 'property',
    path: [fold.excludes ? 'marks' : 'steps'],
    as: 'number',
  } as const;
  return {
    kind: 'select',
    from: {
      kind: 'select',
      from: { kind: 'events', projectId: 'shop' },
      columns: [
        { kind: 'column', name: 'person' },
        { kind: 'column', name: 'timestamp' },
        steps,
      ],
      // Only strict order reads events that match no step.
      where:
        fold.order === 'strict'
          ? []
          : [
              {
                kind: 'call',
                function: 'greater',
                args: [steps, { kind: 'value', value: 0, of: 'number' }],
                of: 'boolean',
              },
            ],
    },
    columns: [
      field(0, 'text'),
      {
        kind: 'aggregate',
        function: fold,
        args: [field(1, 'time'), field(2, 'number')],
        of: 'numbers',
      },
    ],
    where: [],
    groupBy: [field(0, 'text')],
  };
}

// SQLite computes funnels event by event in TypeScript; ClickHouse uses sorted lists.
describe.runIf(testEngines.includes('chdb'))('funnels', () => {
  let directory: string;
  let stores: EventStore[];

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'funnels-'));
    stores = (['sqlite', 'chdb'] as const).map(engine =>
      openStore(engine, path.join(directory, engine)),
    );
    await Promise.all(stores.map(store => store.append(events)));
  });

  afterAll(async () => {
    await Promise.all(stores.map(store => store.close()));
    await rm(directory, { recursive: true, force: true });
  });

  describe.each([
    { order: 'ordered' },
    { order: 'strict' },
    { order: 'unordered' },
    { order: 'ordered', excludes: true },
    { order: 'strict', excludes: true },
  ] as const)('%o', kind => {
    it.each([0, 5, 100])(
      'find the same attempts on both engines, within %i seconds',
      async seconds => {
        const select = timesOf({
          kind: 'funnel',
          ...kind,
          steps: STEPS,
          windowMs: seconds * SECOND_MS,
        });
        const [bySqlite, byChdb] = await Promise.all(
          stores.map(async store => {
            const { rows } = await store.query({ projectId: 'shop', select });
            return new Map(
              rows.map(([person, times]) => [
                person,
                typeof times === 'string' ? JSON.parse(times) : times,
              ]),
            );
          }),
        );
        expect(byChdb).toEqual(bySqlite);
        const lengths = [...bySqlite.values()].map(times => times.length);
        // Attempts of every length are compared.
        expect(new Set(lengths)).toEqual(
          new Set([
            ...(lengths.includes(0) ? [0] : []),
            ...Array.from({ length: Math.max(...lengths) }, (_, at) => at + 1),
          ]),
        );
        expect(Math.max(...lengths)).toBeGreaterThan(1);
      },
    );
  });
});
