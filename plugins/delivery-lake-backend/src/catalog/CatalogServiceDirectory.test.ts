import { mockServices } from '@backstage/backend-test-utils';
import { Entity } from '@backstage/catalog-model';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import { CatalogServiceDirectory } from './CatalogServiceDirectory';

function entity(kind: string, name: string, spec: Entity['spec'] = {}): Entity {
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind,
    metadata: { name },
    spec,
  };
}

/** A catalog with changing entities, which can be made unavailable. */
class ChangingCatalog {
  reads = 0;
  failing = false;

  constructor(public entities: Entity[]) {}

  async *streamEntities(): AsyncIterable<Entity[]> {
    this.reads += 1;
    for (const one of this.entities) {
      yield [one];
    }
    if (this.failing) {
      throw new Error('no catalog');
    }
  }
}

function createDirectory(entities: Entity[]) {
  const catalog = new ChangingCatalog(entities);
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);
  const directory = new CatalogServiceDirectory({
    catalog,
    auth: mockServices.auth(),
    logger: { warn: log, error: log },
  });
  const heard: string[] = [];
  directory.onChange(async () => {
    heard.push(directory.find('cart').match);
  });
  return { catalog, directory, heard, logged };
}

const CART = entity('Component', 'cart', { owner: 'payments' });

it('reads components, groups and systems of the catalog, and nothing else', async () => {
  const directory = new CatalogServiceDirectory({
    catalog: catalogServiceMock({
      entities: [
        CART,
        entity('Group', 'payments', { profile: { displayName: 'Payments' } }),
        entity('API', 'cart-api'),
      ],
    }),
    auth: mockServices.auth(),
    logger: mockServices.rootLogger(),
  });
  await directory.refresh();
  expect(directory.find('cart')).toMatchObject({
    match: 'known',
    ownership: { team: 'group:default/payments' },
  });
  expect(directory.titleOf('group:default/payments')).toBe('Payments');
  expect(directory.titleOf('api:default/cart-api')).toBe('cart-api');
});

it('is empty before the first read', () => {
  expect(createDirectory([CART]).directory.find('cart')).toEqual({
    match: 'unknown',
    candidates: [],
  });
});

it('notifies only of the first state and of changes', async () => {
  const { catalog, directory, heard } = createDirectory([]);
  await directory.refresh();
  await directory.refresh();
  catalog.entities = [CART];
  await directory.refresh();
  await directory.refresh();
  catalog.entities = [{ ...CART, metadata: { name: 'cart', title: 'Cart' } }];
  await directory.refresh();
  expect(heard).toEqual(['unknown', 'known']);
  expect(directory.titleOf('component:default/cart')).toBe('Cart');
});

it('keeps the last state while the catalog cannot be read', async () => {
  const { catalog, directory, heard, logged } = createDirectory([CART]);
  await directory.refresh();
  catalog.failing = true;
  catalog.entities = [];
  await directory.refresh();
  expect(directory.find('cart')).toMatchObject({ match: 'known' });
  expect(heard).toEqual(['known']);
  expect(logged).toEqual([
    'The catalog cannot be read; services keep the owners they had',
  ]);
});

it('reads once for concurrent callers', async () => {
  const { catalog, directory } = createDirectory([CART]);
  await Promise.all([
    directory.refresh(),
    directory.refresh(),
    directory.refresh(),
  ]);
  expect(catalog.reads).toBe(1);
  await directory.refresh();
  expect(catalog.reads).toBe(2);
});

it('repeats notifications that could not be applied', async () => {
  const { directory, heard, logged } = createDirectory([CART]);
  let failures = 1;
  directory.onChange(async () => {
    if (failures > 0) {
      failures -= 1;
      throw new Error('database is busy');
    }
  });
  await directory.refresh();
  expect(logged).toHaveLength(1);
  await directory.refresh();
  await directory.refresh();
  expect(heard).toEqual(['known', 'known']);
});
