import { type ApiToken, hashToken } from '../model/ApiToken.ts';
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

it('does not bring a deleted token back with a reload that began before', async () => {
  const secret = '*:development.a-secret';
  const token: ApiToken = {
    id: '1',
    name: 'shop',
    type: 'client',
    projects: ['*'],
    environment: 'development',
    hash: hashToken(secret),
    createdBy: 'user:default/ada',
    createdAt: 0,
    expiresAt: null,
    lastUsedAt: null,
  };
  const answers: ((tokens: ApiToken[]) => void)[] = [];
  const registry = new TokenRegistry({
    store: {
      list: () => new Promise(resolve => answers.push(resolve)),
      find: async () => undefined,
      findAll: async () => [],
      noteUses: async () => {},
    },
    configured: [],
  });
  const slow = registry.reload();
  const afterDeletion = registry.reload();
  answers[1]([]);
  await afterDeletion;
  answers[0]([token]);
  await slow;
  expect(registry.find(secret)).toBeUndefined();

  const next = registry.reload();
  answers[2]([token]);
  await next;
  expect(registry.find(secret)).toEqual(token);
});
