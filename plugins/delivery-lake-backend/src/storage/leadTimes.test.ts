import { DURATION_KIND } from '../derivation/ServiceHistory';
import {
  DAY,
  describeDeriver,
  HOUR,
  NOON,
} from './__testUtils__/describeDeriver';

describeDeriver('lead times', setUp => {
  it('counts a cherry-pick with a future commit time, without a lead time', async () => {
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

  it('has no lead times for the first deployment of a service, unless it lists changes', async () => {
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

  it('has no changes in a second deployment of the same commit', async () => {
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
});
