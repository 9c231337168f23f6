import { TestDatabases } from '@backstage/backend-test-utils';
import { DatabaseDeriver } from './DatabaseDeriver';
import { DURATION_KIND } from './durationBucket';
import { dumpDerived } from './__testUtils__/dumpDerived';
import { TestLake } from './__testUtils__/TestLake';

const databases = TestDatabases.create({ ids: ['SQLITE_3', 'POSTGRES_18'] });

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 9, 20, 12);

async function createDeriver(knex: TestLake['knex'], timeZone = 'UTC') {
  return new DatabaseDeriver({
    knex,
    dora: { incidentWindow: DAY },
    timeZone,
  });
}

describe.each(databases.eachSupportedId())('on %s', databaseId => {
  async function setUp(timeZone?: string) {
    const knex = await databases.init(databaseId);
    const lake = await TestLake.create(knex);
    const deriver = await createDeriver(knex, timeZone);
    const derive = async () => {
      await deriver.drain();
      return dumpDerived(knex);
    };
    const verdict = async (key: string) =>
      (await derive()).deployments.find(row => row.external_id === key);
    const durations = async (kind: number) =>
      (await derive()).durations
        .filter(row => row.kind === kind)
        .map(row => row.duration);
    return { knex, lake, deriver, derive, verdict, durations };
  }

  it('counts a chain of retries once it reached production', async () => {
    const { lake, derive } = await setUp();
    for (const [index, status] of ['FAILURE', 'FAILURE', 'SUCCESS'].entries()) {
      await lake.putDeployment({
        key: `try-${index}`,
        service: 1,
        finishedAt: NOON + index,
        status,
      });
    }
    const { counts } = await derive();
    expect(counts).toMatchObject([
      { service_id: 0, day: 20261020, deployments: 1, failed: 0 },
      { service_id: 1, day: 20261020, deployments: 1, failed: 0 },
    ]);
  });

  it('takes a roll-back for a deployment, and for the failure of another', async () => {
    const { lake, verdict, durations } = await setUp();
    await lake.putChange({ repository: 1, sha: 'a', landedAt: NOON - DAY });
    await lake.putChange({ repository: 1, sha: 'b', landedAt: NOON - HOUR });
    const put = (key: string, hour: number, sha: string, rollbackOf?: string) =>
      lake.putDeployment({
        key,
        service: 1,
        finishedAt: NOON + hour * HOUR,
        sha,
        rollbackOf,
      });
    await put('first', 0, 'a');
    await put('bad', 1, 'b');
    await put('back', 3, 'a', 'bad');
    await put('again', 5, 'b');

    expect(await verdict('bad')).toMatchObject({
      failed: 1,
      failure_cause: 'rollback',
      recovered_at: NOON + 3 * HOUR,
    });
    expect(await verdict('back')).toMatchObject({
      failed: 0,
      rework: 1,
      rework_cause: 'rollback',
    });
    expect(await durations(DURATION_KIND.recovery)).toEqual([2 * HOUR]);
    // "b" arrived with "bad"; coming again gives no second lead time.
    expect(await durations(DURATION_KIND.lead)).toEqual([2 * HOUR]);
  });

  it('rolls back the deployment before it where none is named, of any age', async () => {
    const { lake, verdict } = await setUp();
    await lake.putDeployment({ key: 'old', service: 1, finishedAt: NOON });
    await verdict('old');
    await lake.putDeployment({
      key: 'back',
      service: 1,
      finishedAt: NOON + 200 * DAY,
      rollbackOf: '',
    });
    expect(await verdict('old')).toMatchObject({ failure_cause: 'rollback' });

    await lake.putDeployment({
      key: 'between',
      service: 1,
      finishedAt: NOON + 100 * DAY,
    });
    expect(await verdict('between')).toMatchObject({ failed: 1 });
    expect(await verdict('old')).toMatchObject({ failed: 0 });
  });

  it('joins overlapping incidents on one deployment to one outage and one failure', async () => {
    const { lake, derive, durations } = await setUp();
    await lake.putDeployment({ key: 'd', service: 1, finishedAt: NOON });
    for (const [key, from, to] of [
      ['one', 1, 3],
      ['two', 2, 6],
      ['inside', 3, 4],
    ] as const) {
      await lake.putIncident({
        key,
        service: 1,
        startedAt: NOON + from * HOUR,
        resolvedAt: NOON + to * HOUR,
      });
    }
    expect(await durations(DURATION_KIND.restore)).toEqual([5 * HOUR]);
    expect(await durations(DURATION_KIND.recovery)).toEqual([6 * HOUR]);
    expect((await derive()).counts).toContainEqual(
      expect.objectContaining({
        service_id: 1,
        failed: 1,
        failed_guessed: 1,
        restores: 1,
        recoveries: 1,
      }),
    );
  });

  it('blames one incident on one deployment, and lets its link be corrected', async () => {
    const { lake, verdict } = await setUp();
    await lake.putDeployment({ key: 'd1', service: 1, finishedAt: NOON });
    await lake.putDeployment({
      key: 'd2',
      service: 1,
      finishedAt: NOON + HOUR,
    });
    const incident = {
      key: 'i',
      service: 1,
      startedAt: NOON + 2 * HOUR,
      resolvedAt: NOON + 3 * HOUR,
    };
    await lake.putIncident(incident);
    expect(await verdict('d1')).toMatchObject({ failed: 0 });
    expect(await verdict('d2')).toMatchObject({ failure_cause: 'guess' });

    await lake.putIncident({ ...incident, deployment: 'd1' });
    expect(await verdict('d1')).toMatchObject({ failure_cause: 'incident' });
    expect(await verdict('d2')).toMatchObject({ failed: 0 });
  });

  it('lets a deployment fail by an incident of another service that links to it', async () => {
    const { lake, verdict, durations } = await setUp();
    await lake.putIncident({
      key: 'i',
      service: 2,
      startedAt: NOON + 50 * DAY,
      resolvedAt: NOON + 51 * DAY,
      deployment: 'cause',
    });
    await verdict('cause');
    await lake.putDeployment({ key: 'cause', service: 1, finishedAt: NOON });
    expect(await verdict('cause')).toMatchObject({ failure_cause: 'incident' });
    expect(await durations(DURATION_KIND.restore)).toEqual([DAY]);

    await lake.deleteDeployment('cause');
    expect(await durations(DURATION_KIND.recovery)).toEqual([]);
  });

  it('lets an open incident count as a failure, and as no restore yet', async () => {
    const { lake, verdict, durations } = await setUp();
    await lake.putDeployment({ key: 'd', service: 1, finishedAt: NOON });
    await lake.putIncident({ key: 'i', service: 1, startedAt: NOON });
    expect(await verdict('d')).toMatchObject({ failed: 1, recovered_at: null });
    expect(await durations(DURATION_KIND.restore)).toEqual([]);
    expect(await durations(DURATION_KIND.recovery)).toEqual([]);
  });

  it('calls what was made while an incident was open rework', async () => {
    const { lake, verdict } = await setUp();
    await lake.putIncident({
      key: 'i',
      service: 1,
      startedAt: NOON,
      resolvedAt: NOON + HOUR,
    });
    const put = (key: string, startedAt: number, unplanned?: boolean) =>
      lake.putDeployment({
        key,
        service: 1,
        startedAt,
        finishedAt: startedAt + 3 * HOUR,
        unplanned,
      });
    await put('before', NOON - 1);
    await put('during', NOON);
    await put('after', NOON + HOUR);
    await put('declared', NOON + 2 * HOUR, true);
    expect(await verdict('before')).toMatchObject({ rework: 0 });
    expect(await verdict('during')).toMatchObject({ rework_cause: 'guess' });
    expect(await verdict('after')).toMatchObject({ rework: 0 });
    expect(await verdict('declared')).toMatchObject({
      rework_cause: 'declared',
    });
  });

  it('gives a cherry-pick that claims to be of the future no lead time, and counts it', async () => {
    const { lake, derive } = await setUp();
    await lake.putChange({ repository: 1, sha: 'a', landedAt: NOON - DAY });
    await lake.putChange({
      repository: 1,
      sha: 'b',
      landedAt: NOON,
      committedAt: NOON + DAY,
    });
    await lake.putDeployment({
      key: 'd1',
      service: 1,
      finishedAt: NOON - HOUR,
      sha: 'a',
    });
    await lake.putDeployment({
      key: 'd2',
      service: 1,
      finishedAt: NOON + HOUR,
      sha: 'b',
    });
    const { counts, histograms } = await derive();
    expect(counts).toContainEqual(
      expect.objectContaining({
        service_id: 1,
        changes: 0,
        changes_unknown: 1,
      }),
    );
    expect(histograms).toEqual([]);
  });

  it('gives the first deployment of a service no lead times, unless it lists changes', async () => {
    const { lake, durations } = await setUp();
    for (let hour = 1; hour <= 3; hour++) {
      await lake.putChange({
        repository: 1,
        sha: `c${hour}`,
        landedAt: NOON + hour * HOUR,
      });
    }
    const first = { finishedAt: NOON + 4 * HOUR, sha: 'c3' };
    await lake.putDeployment({ key: 'd', service: 1, ...first });
    await lake.putDeployment({
      key: 'listing',
      service: 2,
      ...first,
      changes: ['c1'],
    });
    expect(await durations(DURATION_KIND.lead)).toEqual([3 * HOUR, HOUR]);
  });

  it('delivers nothing with a second deployment of the same commit', async () => {
    const { lake, derive, durations } = await setUp();
    await lake.putChange({ repository: 1, sha: 'a', landedAt: NOON });
    await lake.putChange({ repository: 1, sha: 'b', landedAt: NOON + HOUR });
    for (const [key, hour, sha] of [
      ['d1', 1, 'a'],
      ['d2', 2, 'b'],
      ['d3', 9, 'b'],
    ] as const) {
      await lake.putDeployment({
        key,
        service: 1,
        finishedAt: NOON + hour * HOUR,
        sha,
      });
    }
    expect(await durations(DURATION_KIND.lead)).toEqual([HOUR]);
    expect((await derive()).counts).toContainEqual(
      expect.objectContaining({ service_id: 0, deployments: 3, changes: 1 }),
    );
  });

  it('counts by days of the zone where clocks change, of 25 hours too', async () => {
    const { lake, derive } = await setUp('Europe/Berlin');
    // 25 October 2026 in Berlin: from 22:00 UTC the day before to 23:00 UTC.
    const midnight = Date.UTC(2026, 9, 24, 22);
    for (const [key, finishedAt] of [
      ['before', midnight - 1],
      ['first', midnight],
      ['last', midnight + 25 * HOUR - 1],
      ['next', midnight + 25 * HOUR],
    ] as const) {
      await lake.putDeployment({ key, service: 1, finishedAt });
    }
    expect(
      (await derive()).counts
        .filter(row => row.service_id === 1)
        .map(row => [row.day, row.deployments]),
    ).toEqual([
      [20261024, 1],
      [20261025, 2],
      [20261026, 1],
    ]);
  });

  it('attributes anew when a deployment or an incident arrives late', async () => {
    const { lake, verdict } = await setUp();
    await lake.putDeployment({ key: 'd1', service: 1, finishedAt: NOON });
    await lake.putDeployment({
      key: 'd3',
      service: 1,
      finishedAt: NOON + 9 * HOUR,
    });
    await lake.putIncident({
      key: 'i',
      service: 1,
      startedAt: NOON + 5 * HOUR,
    });
    expect(await verdict('d1')).toMatchObject({ failure_cause: 'guess' });
    await lake.putDeployment({
      key: 'd2',
      service: 1,
      finishedAt: NOON + 4 * HOUR,
    });
    expect(await verdict('d1')).toMatchObject({ failed: 0 });
    expect(await verdict('d2')).toMatchObject({ failure_cause: 'guess' });
  });

  it('moves a corrected deployment to its day, its service, and out of production', async () => {
    const { knex, lake, derive } = await setUp();
    const put = (service: number, finishedAt: number, environment = 'prod') =>
      lake.putDeployment({
        key: 'd',
        service,
        finishedAt,
        environment,
        unplanned: true,
      });
    const placed = async () =>
      (await derive()).counts.map(row => [
        row.service_id,
        row.day,
        row.deployments,
        row.rework,
      ]);
    await put(1, NOON);
    expect(await placed()).toEqual([
      [0, 20261020, 1, 1],
      [1, 20261020, 1, 1],
    ]);
    await put(1, NOON - 40 * DAY);
    expect(await placed()).toEqual([
      [0, 20260910, 1, 1],
      [1, 20260910, 1, 1],
    ]);
    await put(2, NOON + 3 * DAY);
    expect(await placed()).toEqual([
      [0, 20261023, 1, 1],
      [2, 20261023, 1, 1],
    ]);
    const day = () =>
      knex('rollup_counts').where({ service_id: 2, day: 20261023 }).first();
    const { revision } = await day();
    await put(2, NOON + 3 * DAY, 'staging');
    expect(await placed()).toEqual([]);
    // What caches know it by stays, and grows.
    expect(Number((await day()).revision)).toBeGreaterThan(Number(revision));
  });

  it('finds a deployment by the commit that an incident names', async () => {
    const { lake, verdict } = await setUp();
    for (const [key, day] of [
      ['d1', 0],
      ['d2', 10],
      ['d3', 20],
    ] as const) {
      await lake.putDeployment({
        key,
        service: 1,
        finishedAt: NOON + day * DAY,
        sha: 'a',
      });
    }
    await lake.putIncident({
      key: 'i',
      service: 1,
      startedAt: NOON + 15 * DAY,
      sha: 'a',
    });
    expect(await verdict('d2')).toMatchObject({ failure_cause: 'incident' });
    expect(await verdict('d1')).toMatchObject({ failed: 0 });
    expect(await verdict('d3')).toMatchObject({ failed: 0 });
  });

  it('says when what it derived was derived by other settings', async () => {
    const { knex, lake, deriver } = await setUp();
    await lake.putDeployment({
      key: 'd',
      service: 1,
      finishedAt: Date.UTC(2026, 9, 20, 23),
    });
    expect(await deriver.isCurrent()).toBe(false);
    const progress: number[][] = [];
    await deriver.rebuild((done, total) => progress.push([done, total]));
    expect(progress.at(0)).toEqual([0, 9]);
    expect(progress.at(-1)).toEqual([9, 9]);
    expect(await deriver.isCurrent()).toBe(true);

    const elsewhere = await createDeriver(knex, 'Asia/Tokyo');
    expect(await elsewhere.isCurrent()).toBe(false);
    await elsewhere.rebuild();
    expect(await elsewhere.isCurrent()).toBe(true);
    expect((await dumpDerived(knex)).counts.map(row => row.day)).toEqual([
      20261021, 20261021,
    ]);
  });

  it('derives once and for all when many ask at the same time, from two replicas', async () => {
    const { knex, lake, deriver } = await setUp();
    const replica = await createDeriver(knex);
    for (let index = 0; index < 30; index++) {
      await lake.putDeployment({
        key: `d${index}`,
        service: (index % 9) + 1,
        finishedAt: NOON + index * HOUR,
        unplanned: true,
      });
    }
    await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const one = index % 2 ? deriver : replica;
        const id = (index % 9) + 1;
        await one.drain(index % 3 ? [id] : undefined);
        expect(await one.hasDirty([id])).toBe(false);
      }),
    );
    const derived = await dumpDerived(knex);
    expect(
      derived.counts
        .filter(row => row.service_id === 0)
        .reduce((sum, row) => sum + Number(row.rework), 0),
    ).toBe(30);
    await deriver.rebuild();
    expect(await dumpDerived(knex)).toEqual(derived);
  });
});
