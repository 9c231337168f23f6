import { deliveryKey, keyOf } from './delivery';

it('keeps a readable key', () => {
  expect(keyOf('/ci/shop', 'e-1')).toBe('/ci/shop#e-1');
  expect(keyOf('/ci#shop', 'e-1')).toBe('/ci#shop#e-1');
});

it('creates different keys for different texts, wherever the mark is in them', () => {
  expect(keyOf('/ci', 'shop#e-1')).not.toBe(keyOf('/ci#shop', 'e-1'));
  expect(keyOf('/ci', 'é#e-1')).not.toBe(keyOf('/ci#é', 'e-1'));
});

it('is different for each connection, because webhooks of GitHub share the id of an event', () => {
  const options = {
    forge: 'github' as const,
    header: (name: string) =>
      name === 'x-github-delivery' ? 'd-1' : undefined,
    rawBody: '{}',
  };
  expect(deliveryKey(options)).toBe('d-1');
  expect(deliveryKey({ ...options, scope: 'connection-1' })).toBe(
    'connection-1#d-1',
  );
});

it('fits the column, however long the texts are', () => {
  expect(keyOf('s'.repeat(200), 'i'.repeat(200))).toMatch(/^[0-9a-f]{64}$/);
});
