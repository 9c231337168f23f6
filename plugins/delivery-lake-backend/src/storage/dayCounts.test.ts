import {
  DAY,
  describeDeriver,
  HOUR,
  NOON,
} from './__testUtils__/describeDeriver';

describeDeriver('counts of days', setUp => {
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

  it('counts deployments during an open incident as rework', async () => {
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

  it('counts by days of the time zone, also those of 25 hours', async () => {
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
    // The revision, by which caches detect changes, is kept and increases.
    expect(Number((await day()).revision)).toBeGreaterThan(Number(revision));
  });
});
