import { KnownCredentials } from './KnownCredentials.ts';
import { digestOf } from './Credential.ts';
import type { CredentialStore } from './storage/CredentialStore.ts';

const owner = { projectId: 'shop', credentialId: 'one' };

function createKnown(more: { expiresAt?: number } = {}) {
  const clock = { now: 0 };
  const asked: string[] = [];
  const projectOf: CredentialStore['projectOf'] = async sha256 => {
    asked.push(sha256);
    return sha256 === digestOf('good') ? { ...owner, ...more } : undefined;
  };
  const known = new KnownCredentials({
    store: { projectOf } as CredentialStore,
    onUse: () => {},
    now: () => clock.now,
  });
  return { known, clock, asked };
}

const open = { kind: 'capture', beforeGuess: async () => {} } as const;
const closed = {
  kind: 'capture',
  beforeGuess: async () => {
    throw new Error('too many guesses');
  },
} as const;

it('looks a key up once in ten seconds', async () => {
  const { known, clock, asked } = createKnown();
  expect(await known.find('good', open)).toEqual(owner);
  expect(await known.find('good', open)).toEqual(owner);
  clock.now += 10_000;
  expect(await known.find('good', open)).toEqual(owner);
  expect(asked).toHaveLength(2);
});

it('does not find an expired token, even if it is cached', async () => {
  const { known, clock } = createKnown({ expiresAt: 5_000 });
  expect(await known.find('good', open)).toMatchObject(owner);
  clock.now = 4_999;
  expect(await known.find('good', open)).toMatchObject(owner);
  clock.now = 5_000;
  expect(await known.find('good', open)).toBeUndefined();
});

it('looks up no unknown key for an address that exceeded its guesses', async () => {
  const { known, clock, asked } = createKnown();
  await expect(known.find('bad', closed)).rejects.toThrow('too many guesses');
  expect(asked).toEqual([]);
  await known.find('good', open);
  clock.now += 60_000;
  expect(await known.find('good', closed)).toEqual(owner);
});

it('does not cache a credential that was revoked while it was looked up', async () => {
  const { known, asked } = createKnown();
  const found = known.find('good', open);
  known.forget();
  await found;
  await known.find('good', open);
  expect(asked).toHaveLength(2);
});
