import { CALLS, RESOURCES } from '../organisation/architecture';
import { createOrganisation } from '../organisation/organisation';
import { tellStory } from '../story/Story';
import { catalogPart } from './catalogPart';
import { entitiesOf } from './demoEntities';

const NOW = Date.UTC(2026, 10, 23, 9, 30);
const entities = entitiesOf(tellStory({ now: NOW }));
const ofKind = (kind: string) => entities.filter(one => one.kind === kind);
const specOf = (kind: string, name: string) =>
  ofKind(kind).find(({ metadata }) => metadata.name === name)!.spec;

/** The entities that a spec refers to in a field, as kind and name. */
function targetsOf(spec: object, field: string, kind?: string): string[] {
  const refs = ((spec as Record<string, unknown>)[field] ?? []) as string[];
  return refs.map(ref =>
    kind === undefined ? ref.replace(':demo/', ':') : `${kind}:${ref}`,
  );
}

it('writes what it says, and each entity once', () => {
  const counts = [
    [60, 'User'],
    [12, 'Group'],
    [12, 'System'],
    [80, 'Component'],
    [21, 'API'],
    [23, 'Resource'],
    [1, 'Domain'],
  ] as const;
  for (const [count, kind] of counts) {
    expect(ofKind(kind), kind).toHaveLength(count);
  }
  expect(catalogPart.writes).toContain('21 APIs and 23 resources');
  const names = entities.map(
    ({ kind, metadata }) => `${kind}:${metadata.name}`,
  );
  expect(new Set(names).size).toBe(209);
});

it('is the same every day', () => {
  const later = tellStory({ now: NOW + 7 * 86_400_000 });
  expect(entitiesOf(later)).toEqual(entities);
});

it('refers only to entities that it has, and leaves none alone', () => {
  const known = new Set(
    entities.map(
      ({ kind, metadata }) => `${kind.toLowerCase()}:${metadata.name}`,
    ),
  );
  const linked = new Set<string>();
  for (const { metadata, spec } of ofKind('Component')) {
    const targets = [
      ...targetsOf(spec, 'dependsOn'),
      ...targetsOf(spec, 'consumesApis', 'api'),
      ...targetsOf(spec, 'providesApis', 'api'),
    ];
    expect(targets, metadata.name).not.toHaveLength(0);
    expect(targets).not.toContain(`component:${metadata.name}`);
    targets.forEach(target => linked.add(target));
  }
  expect([...linked].filter(target => !known.has(target))).toEqual([]);
  for (const kind of ['API', 'Resource']) {
    for (const { metadata } of ofKind(kind)) {
      expect(linked).toContain(`${kind.toLowerCase()}:${metadata.name}`);
    }
  }
});

it('has one provider and at least one consumer of each API', () => {
  const linkedBy = (field: string, name: string) =>
    ofKind('Component').filter(({ spec }) =>
      targetsOf(spec, field).includes(name),
    );
  for (const { metadata } of ofKind('API')) {
    const { name } = metadata;
    expect(linkedBy('providesApis', name), name).toHaveLength(1);
    expect(linkedBy('consumesApis', name), name).not.toHaveLength(0);
  }
});

it('gives APIs and resources to the team of their service, and marks them', () => {
  expect(specOf('API', 'payments')).toMatchObject({
    type: 'openapi',
    owner: 'group:demo/billing',
    system: 'billing',
  });
  expect(specOf('Resource', 'orders-database')).toMatchObject({
    type: 'database',
    owner: 'group:demo/checkout',
  });
  for (const { metadata } of [...ofKind('API'), ...ofKind('Resource')]) {
    expect(metadata.tags, metadata.name).toEqual(['demo']);
  }
});

it('says what the Checkout API needs', () => {
  expect(specOf('Component', 'checkout-api')).toMatchObject({
    providesApis: ['checkouts'],
    consumesApis: ['carts', 'prices', 'promotions', 'payments', 'accounts'],
    dependsOn: [
      'component:demo/tax-engine',
      'component:demo/feature-gate',
      'resource:demo/orders-database',
    ],
  });
});

it('names only services of the organisation in its architecture', () => {
  const services = createOrganisation().services.map(({ name }) => name);
  const named = [
    ...Object.entries(CALLS).flat(2),
    ...RESOURCES.flatMap(({ users }) => users),
  ];
  expect(named.filter(name => !services.includes(name))).toEqual([]);
});
