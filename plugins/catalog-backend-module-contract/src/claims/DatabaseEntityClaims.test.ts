import { mockServices, TestDatabases } from '@backstage/backend-test-utils';
import { DatabaseEntityClaims } from './DatabaseEntityClaims';

const databases = TestDatabases.create({ ids: ['SQLITE_3', 'POSTGRES_18'] });
const A = 'url:https://git.example.org/a.yaml';
const B = 'url:https://git.example.org/b.yaml';
const SHOP = 'component:default/shop';
const TILL = 'component:default/till';

describe.each(databases.eachSupportedId())('on %s', databaseId => {
  async function open() {
    const clock = { now: Date.parse('2026-11-21T12:00:00Z') };
    const database = mockServices.database({
      knex: await databases.init(databaseId),
      migrations: { skip: false },
    });
    const claims = await DatabaseEntityClaims.open(database, {
      now: () => clock.now,
    });
    return { claims, clock };
  }

  it('claims all entities of a location or none', async () => {
    const { claims } = await open();
    expect(await claims.claim(A, [SHOP])).toBeUndefined();
    expect(await claims.claim(B, [TILL, SHOP])).toEqual({
      entityRef: SHOP,
      location: A,
    });
    expect(await claims.claim(A, [TILL, TILL])).toBeUndefined();
  });

  it('lets one of many through that come at the same time', async () => {
    const { claims } = await open();
    const refs = Array.from(
      { length: 700 },
      (_, n) => `component:default/${n}`,
    );
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        claims.claim(`url:https://git.example.org/${n}.yaml`, refs),
      ),
    );
    const winners = answers.filter(answer => answer === undefined);
    expect(winners).toHaveLength(1);
    expect(new Set(answers.map(answer => answer?.location)).size).toBe(2);
  });

  it('lets a location replace a claim that it did not use', async () => {
    const { claims, clock } = await open();
    await claims.claim(A, [SHOP]);
    clock.now += 14_000;
    expect(await claims.claim(A, [SHOP])).toMatchObject({ location: A });
    clock.now += 1_000;
    expect(await claims.claim(B, [SHOP])).toMatchObject({ location: A });
    expect(await claims.claim(A, [SHOP, TILL])).toBeUndefined();
    expect(await claims.claim(B, [TILL])).toMatchObject({ location: A });
  });

  it('ends claims when they are released, given up or old', async () => {
    const { claims, clock } = await open();
    await claims.claim(A, [SHOP]);
    await claims.release(A);
    expect(await claims.claim(B, [SHOP])).toBeUndefined();
    expect(await claims.claim(A, [SHOP], { instead: B })).toBeUndefined();
    expect(await claims.claim(B, [SHOP])).toMatchObject({ location: A });
    clock.now += 10 * 60_000;
    expect(await claims.claim(B, [SHOP])).toBeUndefined();
  });
});
