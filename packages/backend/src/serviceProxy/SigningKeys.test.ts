import path from 'node:path';
import { TestDatabases } from '@backstage/backend-test-utils';
import { openDatabase } from '@slipway/portal-kit/database';
import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose';
import { SigningKeys } from './SigningKeys';

const HOUR_MS = 3_600_000;

let now: number;
let replicas: SigningKeys[];

beforeEach(async () => {
  now = 1_800_000_000_000;
  const client = await TestDatabases.create({ ids: ['SQLITE_3'] }).init(
    'SQLITE_3',
  );
  const knex = await openDatabase({
    database: { getClient: async () => client },
    migrations: path.resolve(__dirname, '../../migrations'),
  });
  replicas = [1, 2].map(() => new SigningKeys({ knex, now: () => now }));
});

async function sign(keys: SigningKeys): Promise<string> {
  const { key, ...header } = await keys.current();
  return new SignJWT().setProtectedHeader(header).setSubject('x').sign(key);
}

it('publishes the keys of both replicas on each of them', async () => {
  const tokens = await Promise.all(replicas.map(sign));
  for (const replica of replicas) {
    const keySet = createLocalJWKSet(await replica.published());
    for (const token of tokens) {
      await expect(jwtVerify(token, keySet)).resolves.toBeDefined();
    }
  }
});

it('signs with a new key every hour, and publishes the old one for another hour', async () => {
  const [keys] = replicas;
  const first = await keys.current();
  expect(await keys.current()).toBe(first);
  now += HOUR_MS;
  const second = await keys.current();
  expect(second.kid).not.toBe(first.kid);
  const kids = async () => (await keys.published()).keys.map(({ kid }) => kid);
  expect((await kids()).sort()).toEqual([first.kid, second.kid].sort());
  now += HOUR_MS;
  expect(await kids()).toEqual([second.kid]);
});
