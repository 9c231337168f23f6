import fc from 'fast-check';
import { LakeEvent } from '../events/LakeEvent';
import { createLake } from './__testUtils__/createLake';
import { dumpLake } from './__testUtils__/dumpLake';
import { emptyLake } from './__testUtils__/emptyLake';
import {
  aChange,
  aDeployment,
  anIncident,
  at,
  shaOf,
} from './__testUtils__/events';
import { lakeDatabases } from './__testUtils__/lakeDatabases';

const databases = lakeDatabases();

/** Returns the start, finish, change and incident of each deployment. */
function history(deployments: number): LakeEvent[] {
  return Array.from({ length: deployments }, (_, index): LakeEvent[] => {
    const key = { externalId: `${index}`, repository: 'acme/shop' };
    return [
      aDeployment({
        ...key,
        occurredAt: at(5 + index),
        status: 'IN_PROGRESS',
        startedAt: at(5 + index),
        finishedAt: undefined,
        service: `service-${index % 3}`,
        commit: { sha: shaOf(index) },
      }),
      aDeployment({
        ...key,
        occurredAt: at(10 + index),
        startedAt: undefined,
        finishedAt: at(10 + index),
        service: undefined,
        changes: index % 2 ? [shaOf(index), shaOf(index + 1)] : undefined,
        rollbackOf: index % 5 === 4 ? `${index - 1}` : undefined,
        deleted: index % 7 === 6 ? true : undefined,
      }),
      aChange({ sha: shaOf(index), landedAt: at(index) }),
      anIncident({
        externalId: `P${index}`,
        deployment: { source: 'ci', externalId: `${index}` },
      }),
      anIncident({
        externalId: `P${index}`,
        occurredAt: at(30),
        resolvedAt: at(30),
      }),
    ];
  }).flat();
}

const EVENTS = history(12);
const shuffled = fc.shuffledSubarray(EVENTS, { minLength: EVENTS.length });

function inBatches(events: LakeEvent[], size: number): LakeEvent[][] {
  return Array.from({ length: Math.ceil(events.length / size) }, (_, index) =>
    events.slice(index * size, (index + 1) * size),
  );
}

describe.each(databases.eachSupportedId())('on %s', databaseId => {
  it('has the same result for any order of events', async () => {
    const expected = await createLake(await databases.init(databaseId));
    await expected.send(...EVENTS);
    const dump = await dumpLake(expected.knex);
    expect(dump.deployments).toHaveLength(11);
    expect(dump.incidents).toHaveLength(12);

    const knex = await databases.init(databaseId);
    const { send } = await createLake(knex);
    await fc.assert(
      fc
        .asyncProperty(
          shuffled,
          fc.integer({ min: 1, max: 9 }),
          async (events, size) => {
            for (const batch of inBatches(events, size)) {
              await send(...batch);
            }
            expect(await dumpLake(knex)).toEqual(dump);
          },
        )
        .afterEach(() => emptyLake(knex)),
      { numRuns: 12 },
    );
  });
});

it('has the same result if two replicas ingest the same events concurrently', async () => {
  const expected = await createLake(await databases.init('POSTGRES_18'));
  await expected.send(...EVENTS);
  const dump = await dumpLake(expected.knex);

  for (let round = 0; round < 5; round++) {
    const one = await createLake(await databases.init('POSTGRES_18'));
    const two = await createLake(one.knex);
    const orders = fc.sample(shuffled, 2);
    const size = 1 + round * 3;
    const responses = await Promise.all([
      ...inBatches(orders[0], size).map(batch => one.send(...batch)),
      ...inBatches(orders[1], size).map(batch => two.send(...batch)),
    ]);

    expect(await dumpLake(one.knex)).toEqual(dump);
    const sum = (field: 'accepted' | 'duplicates' | 'stale') =>
      responses.reduce((total, response) => total + response[field], 0);
    expect(sum('duplicates')).toBe(EVENTS.length);
    expect(sum('accepted') + sum('stale')).toBe(EVENTS.length);
    const ids = responses.flatMap(({ results }) => results.map(({ id }) => id));
    const stored = [
      ...(await one.knex('deployments').pluck('public_id')),
      ...(await one.knex('incidents').pluck('public_id')),
    ];
    expect(ids).toEqual(expect.arrayContaining(stored));
  }
});
