import { ErasedIds } from './ErasedIds.ts';
import type { ErasedOfProject } from './storage/ErasureStore.ts';

it('keeps an erasure that was requested while a slower read was under way', async () => {
  const reads: ((ids: Map<string, ErasedOfProject>) => void)[] = [];
  const erased = new ErasedIds({
    digestOf: (_projectId, distinctId) => distinctId,
    erasedIds: () => new Promise(resolve => reads.push(resolve)),
  });
  const both = [erased.read(), erased.read()];
  const events = [{ projectId: 'shop', distinctId: 'ada' }];
  reads[1](new Map([['shop', { digests: new Set(['ada']), lastAt: 7 }]]));
  reads[0](new Map());
  await Promise.all(both);
  expect(erased.without(events)).toEqual([]);
  expect(erased.lastAt('shop')).toBe(7);
});
