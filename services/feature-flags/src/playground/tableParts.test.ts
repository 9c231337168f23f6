import { type Flag, NEW_TRAITS, type Segment } from '../model/Flag.ts';
import { partsOf } from './tableParts.ts';

/** Creates a flag with one rule that has the given number of values. */
function flagWith(name: string, values: number, more: Partial<Flag> = {}) {
  const constraint = {
    contextName: 'userId',
    operator: 'IN',
    values: Array.from({ length: values }, (_, index) => `user-${index}`),
  };
  const strategy = {
    id: '1',
    name: 'default',
    parameters: {},
    constraints: [constraint],
    segments: [1],
  };
  const state = { enabled: true, strategies: [strategy], variants: [] };
  const flag: Flag = {
    ...NEW_TRAITS,
    name,
    project: 'default',
    createdAt: 0,
    updatedAt: 0,
    archivedAt: null,
    states: { development: state, production: state },
    revisions: { latest: 1, shared: 1, states: {} },
    ...more,
  };
  return flag;
}

const segment = (
  name: string,
  { id = 1, constraints = [] }: Partial<Segment> = {},
): Segment => ({
  id,
  name,
  description: '',
  project: null,
  constraints,
  createdBy: 'ada',
  createdAt: 0,
  revision: 1,
});

const columnsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    environment: 'development',
    context: { userId: String(index) },
  }));

const flagsWith = (count: number, values: number) =>
  Array.from({ length: count }, (_, index) =>
    flagWith(`flag-${index}`, values),
  );

it.each([
  ['flags', { flags: flagsWith(120, 1), columns: 1, sizes: [50, 50, 20] }],
  ['results', { flags: flagsWith(25, 1), columns: 200, sizes: [10, 10, 5] }],
  ['values', { flags: flagsWith(5, 12_000), columns: 1, sizes: [2, 2, 1] }],
  ['values of one', { flags: flagsWith(2, 40_000), columns: 1, sizes: [1, 1] }],
  ['none', { flags: [], columns: 1, sizes: [] }],
])('divides by the number of %s', (_, { flags, columns, sizes }) => {
  const parts = [
    ...partsOf(flags, {
      columns: columnsOf(columns),
      environments: ['development'],
      snapshot: { find: () => undefined, segments: new Map() },
    }),
  ];
  expect(parts.map(part => part.flags.length)).toEqual(sizes);
  expect(parts.flatMap(part => part.flags.map(({ name }) => name))).toEqual(
    flags.map(({ name }) => name),
  );
});

it('counts the values of parents and segments, once in each part', () => {
  const large = segment('large', {
    constraints: flagWith('any', 18_000).states.development.strategies[0]
      .constraints,
  });
  const sizes = (flags: readonly Flag[], known: readonly Flag[] = []) =>
    [
      ...partsOf(flags, {
        columns: columnsOf(1),
        environments: ['development'],
        snapshot: {
          find: name => known.find(flag => flag.name === name),
          segments: new Map([
            [1, large],
            [2, { ...large, id: 2 }],
          ]),
        },
      }),
    ].map(part => [
      part.flags.length,
      part.others.length,
      part.segments.length,
    ]);
  expect(sizes(flagsWith(50, 1))).toEqual([[50, 0, 1]]);
  const using = (name: string, id: number) => {
    const { states, ...flag } = flagWith(name, 1);
    const { strategies, ...state } = states.development;
    const [strategy] = strategies;
    return {
      ...flag,
      states: {
        development: {
          ...state,
          strategies: [{ ...strategy, segments: [id] }],
        },
      },
    };
  };
  expect(sizes([using('one', 1), using('other', 2)])).toEqual([
    [1, 0, 1],
    [1, 0, 1],
  ]);
  const children = ['one', 'other'].map(name =>
    flagWith(name, 1, {
      dependencies: [{ feature: `parent-of-${name}`, enabled: true }],
      states: {},
    }),
  );
  const parents = ['one', 'other'].map(name =>
    flagWith(`parent-of-${name}`, 9_000),
  );
  expect(sizes(children, parents)).toEqual([
    [1, 1, 1],
    [1, 1, 1],
  ]);
});

it('counts the values of variants', () => {
  const overrides = Array.from({ length: 18 }, () => ({
    contextName: 'userId',
    values: Array.from({ length: 1_000 }, (_, index) => `user-${index}`),
  }));
  const variants = [{ name: 'red', weight: 1_000, overrides }];
  const flags = ['one', 'other'].map(name =>
    flagWith(name, 1, {
      states: { development: { enabled: true, strategies: [], variants } },
    }),
  );
  const parts = partsOf(flags, {
    columns: columnsOf(1),
    environments: ['development'],
    snapshot: { find: () => undefined, segments: new Map() },
  });
  expect([...parts]).toHaveLength(2);
});

it('gives each part what its flags need in these environments, as of one moment', () => {
  const parent = flagWith('parent', 1);
  const child = flagWith('child', 30_000, {
    dependencies: [{ feature: 'parent', enabled: true }],
  });
  const known = new Map([['parent', parent]]);
  const snapshot = {
    find: (name: string) => known.get(name),
    segments: new Map([[1, segment('before')]]),
  };
  const parts = partsOf([flagWith('first', 30_000), child], {
    columns: columnsOf(1),
    environments: ['development'],
    snapshot,
  });
  known.clear();
  snapshot.segments = new Map([[1, segment('after')]]);
  expect([...parts]).toMatchObject([
    { flags: [{ name: 'first' }], others: [], segments: [{ name: 'before' }] },
    {
      flags: [{ name: 'child' }],
      others: [{ name: 'parent' }],
      segments: [{ name: 'before' }],
    },
  ]);
  const [part] = [
    ...partsOf([child], {
      columns: columnsOf(1),
      environments: ['development'],
      snapshot,
    }),
  ];
  expect(Object.keys(part.flags[0].states)).toEqual(['development']);
});
