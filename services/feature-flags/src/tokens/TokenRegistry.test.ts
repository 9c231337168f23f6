import { TokenRegistry } from './TokenRegistry.ts';

it('stores the uses of tokens later if the database is down', async () => {
  const stored: [hash: string, at: number][] = [];
  let isDown = true;
  const registry = new TokenRegistry({
    store: {
      list: async () => [],
      find: async () => undefined,
      findAll: async () => [],
      async noteUses(uses) {
        if (isDown) {
          throw new Error('The database is down');
        }
        stored.push(...uses);
      },
    },
    configured: [],
  });
  registry.used({ hash: 'rare' }, 1);
  registry.used({ hash: 'busy' }, 1);
  await expect(registry.noteUses()).rejects.toThrow('The database is down');
  registry.used({ hash: 'busy' }, 2);
  isDown = false;
  await registry.noteUses();
  expect(stored).toEqual([
    ['rare', 1],
    ['busy', 2],
  ]);
});
