import { Entity } from '@backstage/catalog-model';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import { DirectorySnapshot } from './DirectorySnapshot';

function component(
  name: string,
  more: {
    namespace?: string;
    title?: string;
    annotations?: Record<string, string>;
    spec?: Record<string, string>;
    relations?: [string, string][];
  } = {},
): Entity {
  const { spec, relations, ...metadata } = more;
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: { name, ...metadata },
    spec: { type: 'service', ...spec },
    relations: relations?.map(([type, targetRef]) => ({ type, targetRef })),
  };
}

function ownershipOf(entity: Entity, name = entity.metadata.name) {
  const found = new DirectorySnapshot([entity]).find(name);
  return found.match === 'known' ? found.ownership : found;
}

describe('find', () => {
  const directory = new DirectorySnapshot([
    component('Cart', {
      annotations: {
        'slipway.dev/delivery-service': 'shop-cart, CART-EU ,',
        'github.com/project-slug': 'Shop/Cart-Repo',
      },
    }),
    component('cart', { namespace: 'legacy' }),
    component('billing', {
      annotations: {
        'backstage.io/source-location':
          'url:https://gitea.example.org/Shop/Mono/src/branch/main/billing/',
        'slipway.dev/delivery-service': 'accounts',
      },
    }),
    component('invoices', {
      annotations: {
        'gitea.com/repo-slug': 'shop/mono',
        'slipway.dev/delivery-service': 'accounts',
      },
    }),
    component('payments-api'),
    {
      apiVersion: 'backstage.io/v1alpha1',
      kind: 'System',
      metadata: { name: 'shop', title: 'The shop' },
    },
  ]);

  it.each([
    ['cart', 'component:default/cart'],
    ['CART', 'component:default/cart'],
    ['component:default/cart', 'component:default/cart'],
    ['Component:cart', 'component:default/cart'],
    ['legacy/cart', 'component:legacy/cart'],
    ['shop-cart', 'component:default/cart'],
    ['cart-eu', 'component:default/cart'],
    ['shop/cart-repo', 'component:default/cart'],
  ])('knows %s', (name, entityRef) => {
    expect(directory.find(name)).toMatchObject({
      match: 'known',
      ownership: { entityRef },
    });
  });

  it.each([
    ['shop/mono', 'a repository of two'],
    ['accounts', 'an annotation of two'],
  ])('does not choose for %s, %s', name => {
    expect(directory.find(name)).toEqual({
      match: 'ambiguous',
      candidates: ['component:default/billing', 'component:default/invoices'],
    });
  });

  it.each([
    ['payments-service', ['component:default/payments-api']],
    ['service/Payments', ['component:default/payments-api']],
    ['unheard-of', []],
    ['api', []],
    ['system:default/shop', []],
    [':::', []],
    ['', []],
  ])('does not know %s, and suggests what is alike', (name, candidates) => {
    expect(directory.find(name)).toEqual({ match: 'unknown', candidates });
  });

  it('suggests components of the same name in other namespaces', () => {
    expect(directory.find('elsewhere/cart')).toEqual({
      match: 'unknown',
      candidates: ['component:default/cart', 'component:legacy/cart'],
    });
  });

  it('finds thousands of unknown names in a large catalog at once', () => {
    const large = new DirectorySnapshot(
      Array.from({ length: 5_000 }, (_, index) => component(`cart-${index}`)),
    );
    const start = performance.now();
    for (let index = 0; index < 2_000; index += 1) {
      expect(large.find(`cart-of-${index}`).match).toBe('unknown');
    }
    expect(performance.now() - start).toBeLessThan(patient(500));
  });

  it('has titles, and names without them', () => {
    expect(directory.titleOf('system:default/shop')).toBe('The shop');
    expect(directory.titleOf('component:default/cart')).toBe('Cart');
    expect(directory.titleOf('group:default/gone')).toBe('gone');
  });
});

describe('services of trackers', () => {
  const directory = new DirectorySnapshot([
    component('cart', {
      annotations: {
        'pagerduty.com/service-id': 'PF9KMXH',
        'jira/project-key': 'SHOP',
        'jira/component': 'Cart',
      },
    }),
    component('till', {
      annotations: {
        'jira.com/project-key': 'SHOP',
        'jira.com/components': 'Till, Receipts',
        'jira/label': 'till',
      },
    }),
    component('shop', { annotations: { 'jira/project-key': 'SHOP' } }),
    component('old', { annotations: { 'pagerduty.com/service-id': 'POLD' } }),
    component('new', { annotations: { 'pagerduty.com/service-id': 'POLD' } }),
  ]);

  it.each([
    ['pagerduty:PF9KMXH', 'cart'],
    ['jira:SHOP/Cart', 'cart'],
    ['jira:SHOP/receipts', 'till'],
    ['jira:SHOP#till', 'till'],
    // A component of a part of the project does not claim the whole project.
    ['jira:SHOP', 'shop'],
  ])('finds %s by an annotation of %s', (name, owner) => {
    expect(directory.find(name)).toMatchObject({
      ownership: { entityRef: `component:default/${owner}` },
    });
  });

  it('does not choose between two, and knows no others', () => {
    expect(directory.find('pagerduty:POLD').match).toBe('ambiguous');
    expect(directory.find('pagerduty:POTHER').match).toBe('unknown');
    expect(directory.find('jira:SHOP/Other').match).toBe('unknown');
  });

  it('have changed if an annotation has', () => {
    const withId = (id: string) =>
      new DirectorySnapshot([
        component('cart', { annotations: { 'pagerduty.com/service-id': id } }),
      ]).fingerprint;
    expect(withId('P1')).toBe(withId('P1'));
    expect(withId('P1')).not.toBe(withId('P2'));
  });
});

describe('ownership', () => {
  it('is read from the relations, only of groups and systems', () => {
    expect(
      ownershipOf(
        component('cart', {
          spec: { owner: 'other', system: 'other' },
          relations: [
            ['ownedBy', 'user:default/ada'],
            ['ownedBy', 'group:default/payments'],
            ['partOf', 'component:default/web'],
            ['partOf', 'system:default/shop'],
            ['dependsOn', 'system:default/else'],
          ],
        }),
      ),
    ).toEqual({
      entityRef: 'component:default/cart',
      team: 'group:default/payments',
      project: 'system:default/shop',
    });
  });

  it('has no team if a person owns it', () => {
    expect(
      ownershipOf(
        component('cart', {
          spec: { owner: 'payments' },
          relations: [['ownedBy', 'user:default/ada']],
        }),
      ),
    ).toMatchObject({ team: null, project: null });
    expect(
      ownershipOf(component('cart', { spec: { owner: 'user:ada' } })),
    ).toMatchObject({ team: null });
  });

  it('is read from the component while there are no relations', () => {
    expect(
      ownershipOf(
        component('cart', {
          namespace: 'eu',
          spec: { owner: 'Payments', system: 'default/Shop' },
        }),
        'eu/cart',
      ),
    ).toEqual({
      entityRef: 'component:eu/cart',
      team: 'group:eu/payments',
      project: 'system:default/shop',
    });
  });
});

describe('fingerprint', () => {
  const of = (...entities: Entity[]) =>
    new DirectorySnapshot(entities).fingerprint;

  it('is the same for the same entities, regardless of order and titles', () => {
    expect(of(component('a'), component('b'))).toBe(
      of(component('b', { title: 'Bee' }), component('a')),
    );
  });

  it('differs for another component, owner, name or repository', () => {
    const variants = [
      of(),
      of(component('a')),
      of(component('a', { spec: { owner: 'payments' } })),
      of(component('a', { spec: { system: 'shop' } })),
      of(component('a', { annotations: { 'github.com/project-slug': 'o/a' } })),
      of(
        component('a', {
          annotations: { 'slipway.dev/delivery-service': 'other' },
        }),
      ),
    ];
    expect(new Set(variants).size).toBe(variants.length);
  });
});
