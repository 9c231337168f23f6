import { DURATION_KIND } from '../derivation/ServiceHistory';
import {
  DAY,
  describeDeriver,
  HOUR,
  NOON,
} from './__testUtils__/describeDeriver';

describeDeriver('failures', setUp => {
  it('counts a rollback as a deployment, and as the failure of another', async () => {
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
    // "b" was delivered with "bad"; delivering it again gives no second lead time.
    expect(await durations(DURATION_KIND.lead)).toEqual([2 * HOUR]);
  });

  it('rolls back the previous deployment if none is named, regardless of its age', async () => {
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

  it('attributes an incident to one deployment, and applies corrections of its link', async () => {
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

  it('fails a deployment because of a linked incident of another service', async () => {
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

  it('keeps an incident that may only be linked to its own component to that component', async () => {
    const { knex, lake, verdict } = await setUp();
    await knex('services')
      .whereIn('id', [1, 3])
      .update({ entity_ref: 'component:default/cart' });
    for (const service of [1, 2, 3]) {
      await lake.putDeployment({
        key: `d${service}`,
        service,
        finishedAt: NOON,
      });
      await lake.putIncident({
        key: `i${service}`,
        service: 1,
        startedAt: NOON + 50 * DAY,
        deploymentId: `deploy-d${service}`,
        linkIsOwn: true,
      });
    }
    expect(await verdict('d1')).toMatchObject({ failure_cause: 'incident' });
    expect(await verdict('d2')).toMatchObject({ failed: 0 });
    // The same component, deployed under another name.
    expect(await verdict('d3')).toMatchObject({ failure_cause: 'incident' });
  });

  it('counts an open incident as a failure, but not as restored', async () => {
    const { lake, verdict, durations } = await setUp();
    await lake.putDeployment({ key: 'd', service: 1, finishedAt: NOON });
    await lake.putIncident({ key: 'i', service: 1, startedAt: NOON });
    expect(await verdict('d')).toMatchObject({ failed: 1, recovered_at: null });
    expect(await durations(DURATION_KIND.restore)).toEqual([]);
    expect(await durations(DURATION_KIND.recovery)).toEqual([]);
  });

  it('updates attributions when a deployment or an incident arrives late', async () => {
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
});
