import {
  type CatalogEntity,
  componentNaming,
  resolveScope,
  summaryOf,
} from './EntityScope.ts';
import { shortened } from './figure.ts';

const need = {
  key: 'a',
  kind: 'feedback-new',
  title: 'New feedback',
  at: '2026-11-20T12:00:00Z',
  tone: 'warning' as const,
  page: '/feedback',
  action: 'View feedback',
};
const summary = { state: 'good' as const, facts: [], needs: [need] };

it('tells only of a truncated scope that it is', () => {
  const scope = { kind: 'group' as const, truncated: false };
  expect(summaryOf(scope, summary)).toEqual(summary);
  expect(summaryOf({ ...scope, truncated: true }, summary)).toEqual({
    ...summary,
    truncated: true,
  });
});

it.each([
  ['group', 20],
  ['user', 100],
] as const)('lists the most urgent needs of a %s', (kind, most) => {
  const warnings = Array.from({ length: most }, (_, index) => ({
    ...need,
    key: `warning ${index}`,
  }));
  const old = { ...need, key: 'old', tone: 'bad' as const };
  const fresh = { ...old, key: 'fresh', at: '2026-11-21T12:00:00Z' };
  const answer = summaryOf(
    { kind, truncated: false },
    { ...summary, needs: [...warnings, old, fresh, old] },
  );
  expect(answer.needs).toHaveLength(most);
  expect(answer.needs.slice(0, 3)).toEqual([fresh, old, warnings[0]]);
  expect(answer.moreNeeds).toBe(true);
  const all = summaryOf(
    { kind, truncated: false },
    { ...summary, needs: warnings },
  );
  expect(all).not.toHaveProperty('moreNeeds');
});

it('finds what the groups of a user own, a batch of groups at a time', async () => {
  const catalog: CatalogEntity[] = Array.from(
    { length: 1_002 },
    (_, index) => ({
      kind: 'Component',
      metadata: { name: `c${String(index).padStart(4, '0')}` },
      relations: [
        { type: 'ownedBy', targetRef: `group:default/g${index % 120}` },
        { type: 'ownedBy', targetRef: 'user:default/ada' },
      ],
    }),
  );
  const asked: number[] = [];
  const scopeOf = (entities: readonly CatalogEntity[]) =>
    resolveScope('user:default/ada', {
      catalog: {
        entity: async () => undefined,
        async components(relation, { targets, limit }) {
          asked.push(targets.length);
          return entities
            .filter(({ relations = [] }) =>
              relations.some(
                ({ type, targetRef }) =>
                  type === relation && targets.includes(targetRef),
              ),
            )
            .slice(0, limit);
        },
      },
      groupsOf: async () =>
        Array.from({ length: 120 }, (_, index) => `group:default/g${index}`),
    });
  const some = await scopeOf(catalog.slice(0, 1_000));
  expect(asked).toEqual([50, 50, 21]);
  expect(some.truncated).toBe(false);
  expect(some.components.map(({ name }) => name)).toEqual(
    catalog.slice(0, 1_000).map(({ metadata }) => metadata.name),
  );
  const many = await scopeOf(catalog);
  expect(many.components).toHaveLength(1_000);
  expect(many.truncated).toBe(true);
});

it('sorts components of the same name by namespace', async () => {
  const found = ['b', 'a', 'default'].map(namespace => ({
    kind: 'Component',
    metadata: { name: 'shop', namespace },
  }));
  const refsOf = async (entities: CatalogEntity[]) => {
    const { components } = await resolveScope('user:default/ada', {
      catalog: {
        entity: async () => undefined,
        components: async () => entities,
      },
      groupsOf: async () => [],
    });
    return components.map(({ ref }) => ref);
  };
  const sorted = ['a', 'b', 'default'].map(each => `component:${each}/shop`);
  expect(await refsOf(found)).toEqual(sorted);
  expect(await refsOf(found.toReversed())).toEqual(sorted);
});

it('keeps the labels of needs short enough for inboxes', () => {
  const long = { ...need, title: 'x'.repeat(300), detail: 'y'.repeat(300) };
  const { needs } = summaryOf(
    { kind: 'component', truncated: false },
    { ...summary, needs: [long] },
  );
  expect(needs).toEqual([
    { ...need, title: `${'x'.repeat(199)}…`, detail: `${'y'.repeat(199)}…` },
  ]);
});

it('never cuts within a character', () => {
  expect(shortened('abc', 3)).toBe('abc');
  expect(shortened('ab😀d', 4)).toBe('ab…');
  expect(shortened('ab😀cd', 5)).toBe('ab😀…');
});

it('finds the component that names something, unless several do', () => {
  const component = (name: string, flags: string) => ({
    ref: `component:default/${name}`,
    ...{ name, title: name, annotations: { flags } },
  });
  const scope = {
    ...{ ref: 'group:default/payments', kind: 'group' as const },
    ...{ truncated: false, teams: [] },
    components: [component('shop', 'a, b'), component('till', 'b,c')],
  };
  const naming = (flag: string) =>
    componentNaming(scope, 'flags', name => name === flag);
  expect(naming('a')).toBe('component:default/shop');
  expect(naming('b')).toBeUndefined();
  expect(naming('d')).toBeUndefined();
});
