import type { Entity } from '@backstage/catalog-model';
import { aboutFacts } from './aboutFacts';

const entity = (kind: string, more: Partial<Entity> = {}): Entity => ({
  apiVersion: 'backstage.io/v1alpha1',
  kind,
  metadata: { name: 'one', namespace: 'demo' },
  ...more,
});

it('states what the descriptor of a component does', () => {
  const shop = entity('Component', {
    metadata: { name: 'shop', namespace: 'demo', tags: ['java', 'web'] },
    spec: { type: 'service', lifecycle: 'production' },
    relations: [
      { type: 'ownedBy', targetRef: 'group:demo/checkout' },
      { type: 'partOf', targetRef: 'system:demo/store' },
      { type: 'partOf', targetRef: 'component:demo/suite' },
      { type: 'dependsOn', targetRef: 'component:demo/ledger' },
    ],
  });
  expect(aboutFacts(shop)).toEqual([
    { id: 'owner', refs: ['group:demo/checkout'] },
    { id: 'system', refs: ['system:demo/store'] },
    { id: 'partOf', refs: ['component:demo/suite'] },
    { id: 'type', text: 'service' },
    { id: 'lifecycle', text: 'production' },
    { id: 'tags', tags: ['java', 'web'] },
    { id: 'reference', text: 'component:demo/shop' },
  ]);
});

it('states that an entity has no owner, except of users and groups', () => {
  expect(aboutFacts(entity('Resource'))).toContainEqual({
    id: 'owner',
    refs: [],
  });
  for (const kind of ['User', 'Group']) {
    expect(aboutFacts(entity(kind)).map(({ id }) => id)).toEqual(['reference']);
  }
});

it('states email, parent and subgroups of a group, and the groups of a user', () => {
  const group = entity('Group', {
    spec: { profile: { email: 'team@example.org' } },
    relations: [
      { type: 'childOf', targetRef: 'group:demo/shop' },
      { type: 'parentOf', targetRef: 'group:demo/cart' },
      { type: 'hasMember', targetRef: 'user:default/ada' },
    ],
  });
  expect(aboutFacts(group)).toMatchObject([
    { id: 'email', email: 'team@example.org' },
    { id: 'parent', refs: ['group:demo/shop'] },
    { id: 'children', refs: ['group:demo/cart'] },
    { id: 'reference' },
  ]);
  const user = entity('User', {
    relations: [{ type: 'memberOf', targetRef: 'group:demo/cart' }],
  });
  expect(aboutFacts(user)).toContainEqual({
    id: 'memberOf',
    refs: ['group:demo/cart'],
  });
});

it('links to the targets of a location that a browser can open', () => {
  const location = entity('Location', {
    metadata: {
      name: 'all',
      annotations: {
        'backstage.io/source-location': 'url:https://forge.example/org/repo/',
      },
    },
    spec: { targets: ['./shop.yaml', 'https://example.org/x', 'ftp://old/y'] },
  });
  expect(aboutFacts(location)).toContainEqual({
    id: 'targets',
    targets: [
      { text: './shop.yaml', href: 'https://forge.example/org/repo/shop.yaml' },
      { text: 'https://example.org/x', href: 'https://example.org/x' },
      { text: 'ftp://old/y' },
    ],
  });
});
