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
  const kinds = [...new Set(entities.map(({ kind }) => kind))];
  const counts = kinds.map(kind => [kind, ofKind(kind).length]);
  expect(Object.fromEntries(counts)).toEqual({
    Domain: 1,
    Group: 12,
    System: 12,
    User: 60,
    Component: 80,
    API: 21,
    Resource: 23,
  });
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
  const links = ofKind('Component').map(({ metadata, spec }) => ({
    name: metadata.name,
    targets: [
      ...targetsOf(spec, 'dependsOn'),
      ...targetsOf(spec, 'consumesApis', 'api'),
      ...targetsOf(spec, 'providesApis', 'api'),
    ],
  }));
  const alone = links.filter(({ targets }) => targets.length === 0);
  const ownNeeds = links.filter(({ name, targets }) =>
    targets.includes(`component:${name}`),
  );
  const linked = new Set(links.flatMap(({ targets }) => targets));
  expect({
    alone,
    ownNeeds,
    unknown: [...linked].filter(target => !known.has(target)),
  }).toEqual({ alone: [], ownNeeds: [], unknown: [] });
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
    ).length;
  const names = ofKind('API').map(({ metadata }) => metadata.name);
  expect(names.filter(name => linkedBy('providesApis', name) !== 1)).toEqual(
    [],
  );
  expect(names.filter(name => linkedBy('consumesApis', name) === 0)).toEqual(
    [],
  );
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
  const marked = [...ofKind('API'), ...ofKind('Resource')];
  expect(
    marked.filter(({ metadata }) => metadata.tags?.[0] !== 'demo'),
  ).toEqual([]);
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
