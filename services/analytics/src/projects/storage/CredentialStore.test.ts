import type { Database } from '@slipway/service-kit';
import { openTestDatabase } from '@slipway/service-kit/testing';
import { defineAnalytics } from '../../service.ts';
import { UTC } from '../../query/time/zones.ts';
import { digestOf, type NewCredential } from '../Credential.ts';
import { CredentialStore } from './CredentialStore.ts';
import { ProjectStore } from './ProjectStore.ts';

const owner = { projectId: 'shop', credentialId: 'one' };
const good: NewCredential = {
  id: 'one',
  projectId: 'shop',
  kind: 'capture',
  name: 'web',
  sha256: digestOf('good'),
  hint: 'good',
  origin: 'portal',
  createdAt: 0,
  createdBy: 'ada',
};

let database: Database;
let dispose: () => Promise<void>;
let lookups = 0;

beforeAll(async () => {
  const analytics = defineAnalytics();
  ({ database, dispose } = await openTestDatabase('sqlite', analytics));
  await new ProjectStore(database).create({
    id: 'shop',
    name: 'Shop',
    createdAt: 0,
    createdBy: 'ada',
    hidesPeople: false,
    calendar: UTC,
  });
  database.knex.on('query', ({ sql }: { sql: string }) => {
    lookups += sql.startsWith('select') ? 1 : 0;
  });
});

afterAll(() => dispose());

beforeEach(() => {
  lookups = 0;
});

afterEach(() =>
  database.transaction(async trx => {
    await trx('credentials').delete();
  }),
);

async function createStore(more: { expiresAt?: number } = {}) {
  const clock = { now: 0 };
  const credentials = new CredentialStore({
    database,
    onUse: () => {},
    now: () => clock.now,
  });
  await credentials.add({ ...good, ...more });
  return { credentials, clock };
}

const open = { kind: 'capture', beforeGuess: async () => {} } as const;
const closed = {
  kind: 'capture',
  beforeGuess: async () => {
    throw new Error('too many guesses');
  },
} as const;

it('looks a key up once in ten seconds', async () => {
  const { credentials, clock } = await createStore();
  expect(await credentials.find('good', open)).toEqual(owner);
  expect(await credentials.find('good', open)).toEqual(owner);
  clock.now += 10_000;
  expect(await credentials.find('good', open)).toEqual(owner);
  expect(lookups).toBe(2);
});

it('does not find an expired token, even if it is cached', async () => {
  const { credentials, clock } = await createStore({ expiresAt: 5_000 });
  expect(await credentials.find('good', open)).toMatchObject(owner);
  clock.now = 4_999;
  expect(await credentials.find('good', open)).toMatchObject(owner);
  clock.now = 5_000;
  expect(await credentials.find('good', open)).toBeUndefined();
});

it('looks up no unknown key for an address that exceeded its guesses', async () => {
  const { credentials, clock } = await createStore();
  await expect(credentials.find('bad', closed)).rejects.toThrow(
    'too many guesses',
  );
  expect(lookups).toBe(0);
  await credentials.find('good', open);
  clock.now += 60_000;
  expect(await credentials.find('good', closed)).toEqual(owner);
});

it('does not cache a credential that was revoked while it was looked up', async () => {
  const { credentials } = await createStore();
  const found = credentials.find('good', open);
  credentials.forget();
  await found;
  await credentials.find('good', open);
  expect(lookups).toBe(2);
});

it('does not find a credential that was revoked or replaced, even if it is cached', async () => {
  const { credentials } = await createStore();
  await credentials.find('good', open);
  const id = 'two';
  const sha256 = digestOf('new');
  await credentials.replace('one', { ...good, id, sha256 });
  expect(await credentials.find('good', open)).toBeUndefined();
  await credentials.find('new', open);
  await credentials.revoke({ projectId: 'shop', id, now: 0 });
  expect(await credentials.find('new', open)).toBeUndefined();
});

it('does not find a credential of an earlier configuration, even if it is cached', async () => {
  const { credentials } = await createStore();
  const declared = { ...good, id: 'two', sha256: digestOf('declared') };
  await credentials.adopt([{ ...declared, origin: 'configuration' }], 0);
  expect(await credentials.find('declared', open)).toBeDefined();
  await credentials.adopt([], 0);
  expect(await credentials.find('declared', open)).toBeUndefined();
});

it('does not find a revoked credential if the response of the database was lost', async () => {
  const { credentials } = await createStore();
  await credentials.find('good', open);
  const { transaction } = database;
  vi.spyOn(database, 'transaction').mockImplementationOnce(async work => {
    await transaction(work);
    throw new Error('lost');
  });
  await expect(
    credentials.revoke({ projectId: 'shop', id: 'one', now: 0 }),
  ).rejects.toThrow('lost');
  expect(await credentials.find('good', open)).toBeUndefined();
});

it('looks up known keys after a revocation, even for an address that exceeded its guesses', async () => {
  const { credentials } = await createStore();
  const found = credentials.find('good', open);
  credentials.forget();
  await found;
  expect(await credentials.find('good', closed)).toEqual(owner);
  credentials.forget();
  expect(credentials.kept('good', 'capture')).toBeUndefined();
  expect(await credentials.find('good', closed)).toEqual(owner);
});
