import type { Entity } from '@backstage/catalog-model';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import { shareEntityReads } from './shareEntityReads';

const CART: Entity = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Component',
  metadata: { name: 'cart', namespace: 'default' },
};
const REF = { kind: 'Component', namespace: 'default', name: 'cart' };

/** Returns a client that counts the reads which reach the catalog. */
function clientOf(entities: Entity[]) {
  const catalog = catalogApiMock({ entities });
  const reads = vi.spyOn(catalog, 'getEntityByRef');
  return { client: shareEntityReads(catalog), reads };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it('asks once for readers of the same entity, until two seconds have passed', async () => {
  const { client, reads } = clientOf([CART]);
  const both = [
    client.getEntityByRef('component:default/cart'),
    client.getEntityByRef(REF),
  ];
  expect(await Promise.all(both)).toEqual([CART, CART]);
  await client.getEntityByRef(REF);
  await client.getEntityByRef('component:default/other');
  expect(reads).toHaveBeenCalledTimes(2);

  vi.advanceTimersByTime(2_000);
  await client.getEntityByRef(REF);
  expect(reads).toHaveBeenCalledTimes(3);
});

it('asks again after a failure, and for what was missing', async () => {
  const { client, reads } = clientOf([]);
  reads.mockRejectedValueOnce(new Error('down'));
  await expect(client.getEntityByRef(REF)).rejects.toThrow('down');
  expect(await client.getEntityByRef(REF)).toBeUndefined();
  await client.getEntityByRef(REF);
  expect(reads).toHaveBeenCalledTimes(3);
});

it('does not share reads that have options', async () => {
  const { client, reads } = clientOf([CART]);
  await client.getEntityByRef(REF, { token: 'one' });
  await client.getEntityByRef(REF, { token: 'other' });
  expect(reads).toHaveBeenCalledTimes(2);
});
