import { Oracle } from './oracle';
import { readPeriod } from './period';
import { RawChange, RawDeployment, RawEvent, RawIncident } from './RawEvent';

// Tests the oracle with results that were computed by hand from the README.

let clock = 0;
function said(): { source: string; occurredAt: string } {
  clock += 1;
  return {
    source: 'test',
    occurredAt: new Date(Date.UTC(2026, 0, 1) + clock).toISOString(),
  };
}

function deployment(
  id: string,
  finishedAt: string,
  fields: Partial<RawDeployment> = {},
): RawDeployment {
  return {
    kind: 'deployment',
    ...said(),
    id,
    service: 'shop',
    environment: 'prod',
    status: 'SUCCESS',
    startedAt: new Date(Date.parse(finishedAt) - 60_000).toISOString(),
    finishedAt,
    repository: 'acme/shop',
    ...fields,
  };
}

function change(
  sha: string,
  landedAt: string,
  committedAt = landedAt,
): RawChange {
  return {
    kind: 'change',
    ...said(),
    repository: 'acme/shop',
    sha,
    committedAt,
    landedAt,
  };
}

function incident(
  id: string,
  startedAt: string,
  fields: Partial<RawIncident> = {},
): RawIncident {
  return {
    kind: 'incident',
    ...said(),
    id,
    service: 'shop',
    environment: 'prod',
    startedAt,
    ...fields,
  };
}

function ask(events: RawEvent[], startDate: string, endDate: string) {
  return new Oracle(events).answer(
    readPeriod({ startDate, endDate, timeZone: 'UTC' }),
    () => true,
  );
}

describe('Oracle', () => {
  it('counts what reached production, per week of real time', () => {
    const { metrics } = ask(
      [
        deployment('1', '2026-03-02T10:00:00Z'),
        deployment('2', '2026-03-03T10:00:00Z', { status: 'FAILURE' }),
        deployment('3', '2026-03-04T10:00:00Z', { environment: 'staging' }),
        deployment('4', '2026-03-05T10:00:00Z', { status: 'ROLLED_BACK' }),
        deployment('5', '2026-03-16T00:00:00Z'),
      ],
      '2026-03-02',
      '2026-03-15',
    );
    expect(metrics.deploymentFrequency).toMatchObject({ value: 1, samples: 2 });
  });

  it('uses the real length of days with clock changes', () => {
    const day = (date: string) => {
      const { start, end } = readPeriod({
        startDate: date,
        endDate: date,
        timeZone: 'Europe/Berlin',
      });
      return (end - start) / 3_600_000;
    };
    expect([day('2026-03-28'), day('2026-03-29'), day('2026-10-25')]).toEqual([
      24, 23, 25,
    ]);
  });

  it('counts the lead time of a change once, and none for the first deployment', () => {
    const { metrics, changesWithoutLeadTime } = ask(
      [
        change('a', '2026-03-01T00:00:00Z'),
        change('b', '2026-03-02T00:00:00Z'),
        change('c', '2026-03-02T06:00:00Z', '2026-01-01T00:00:00Z'),
        change('late', '2026-03-02T07:00:00Z', '2026-03-09T00:00:00Z'),
        deployment('1', '2026-03-01T12:00:00Z', { commit: { sha: 'a' } }),
        deployment('2', '2026-03-02T04:00:00Z', { commit: { sha: 'b' } }),
        deployment('3', '2026-03-03T00:00:00Z', { commit: { sha: 'a' } }),
        deployment('4', '2026-03-04T00:00:00Z', { commit: { sha: 'late' } }),
      ],
      '2026-03-01',
      '2026-03-31',
    );
    // b took 4 hours, c two months and two days; a was delivered earlier; late is invalid.
    expect(metrics.leadTimeForChanges).toMatchObject({
      value: (4 + 62 * 24) / 2,
      samples: 2,
    });
    expect(changesWithoutLeadTime).toBe(1);
  });

  it('uses a list of changes as given', () => {
    const { metrics } = ask(
      [
        change('mine', '2026-03-01T00:00:00Z'),
        change('theirs', '2026-03-01T01:00:00Z'),
        change('head', '2026-03-01T02:00:00Z'),
        change('next', '2026-03-01T05:00:00Z'),
        deployment('1', '2026-03-01T04:00:00Z', {
          commit: { sha: 'head' },
          changes: ['mine'],
        }),
        deployment('2', '2026-03-01T06:00:00Z', { commit: { sha: 'next' } }),
      ],
      '2026-03-01',
      '2026-03-01',
    );
    // mine took 4 hours, head 2, next 1; theirs was delivered elsewhere.
    expect(metrics.leadTimeForChanges).toMatchObject({ value: 2, samples: 3 });
  });

  it('finds failures in order: rolled back, linked, guessed', () => {
    const { metrics, failures } = ask(
      [
        deployment('1', '2026-03-01T00:00:00Z'),
        deployment('2', '2026-03-02T00:00:00Z'),
        deployment('3', '2026-03-02T02:00:00Z', { rollbackOf: true }),
        deployment('4', '2026-03-10T00:00:00Z'),
        deployment('5', '2026-03-12T00:00:00Z'),
        deployment('6', '2026-03-20T00:00:00Z'),
        incident('i1', '2026-03-15T00:00:00Z', {
          deployment: { source: 'test', id: '4' },
          resolvedAt: '2026-03-15T04:00:00Z',
        }),
        incident('i2', '2026-03-12T23:00:00Z'),
        incident('i3', '2026-03-21T00:00:01Z', {
          resolvedAt: '2026-03-21T01:00:00Z',
        }),
      ],
      '2026-03-01',
      '2026-03-31',
    );
    // 2 failed by its rollback, 4 by its link, 5 by time; 6 was a second too late.
    expect(metrics.changeFailureRate.value).toBe(50);
    expect(failures).toEqual({ linked: 2, guessed: 1 });
    // 2 recovered after two hours, 4 after five days and four hours, 5 has not recovered.
    expect(metrics.failedDeploymentRecoveryTime).toMatchObject({
      value: (2 + 124) / 2,
      samples: 2,
    });
  });

  it('counts one restore for overlapping incidents, and none for open ones', () => {
    const { metrics } = ask(
      [
        incident('1', '2026-03-01T00:00:00Z', {
          resolvedAt: '2026-03-01T02:00:00Z',
        }),
        incident('2', '2026-03-01T01:00:00Z', {
          resolvedAt: '2026-03-01T05:00:00Z',
        }),
        incident('3', '2026-03-03T00:00:00Z', {
          resolvedAt: '2026-03-03T01:00:00Z',
        }),
        incident('4', '2026-03-05T00:00:00Z'),
        incident('5', '2026-03-06T00:00:00Z', {
          resolvedAt: '2026-03-07T00:00:00Z',
        }),
      ],
      '2026-03-01',
      '2026-03-31',
    );
    expect(metrics.timeToRestoreService).toMatchObject({
      value: (5 + 1) / 2,
      samples: 2,
    });
  });

  it('counts repairs: declared, rolling back, started while it was broken', () => {
    const { metrics } = ask(
      [
        deployment('1', '2026-03-01T00:00:00Z'),
        deployment('2', '2026-03-02T00:00:00Z', { unplanned: true }),
        deployment('3', '2026-03-03T00:00:00Z', { rollbackOf: 'unheard-of' }),
        deployment('4', '2026-03-04T00:00:00Z'),
        incident('1', '2026-03-03T23:00:00Z', {
          resolvedAt: '2026-03-03T23:59:30Z',
        }),
      ],
      '2026-03-01',
      '2026-03-31',
    );
    expect(metrics.deploymentReworkRate).toMatchObject({
      value: 75,
      samples: 4,
    });
  });

  it('uses the latest event for each field, in any order of arrival', () => {
    const wrong = deployment('1', '2026-03-01T00:00:00Z', { service: 'oops' });
    const right: RawDeployment = {
      kind: 'deployment',
      ...said(),
      id: '1',
      service: 'shop',
    };
    const gone = deployment('2', '2026-03-01T01:00:00Z');
    const never: RawDeployment = {
      kind: 'deployment',
      ...said(),
      id: '2',
      deleted: true,
    };
    const period = readPeriod({
      startDate: '2026-03-01',
      endDate: '2026-03-01',
      timeZone: 'UTC',
    });
    const { metrics } = new Oracle([never, right, gone, wrong, wrong]).answer(
      period,
      service => service === 'shop',
    );
    expect(metrics.deploymentFrequency.samples).toBe(1);
  });

  it('compares with the period before, with a dead band', () => {
    const { metrics } = ask(
      [
        deployment('1', '2026-03-01T00:00:00Z'),
        deployment('2', '2026-03-02T00:00:00Z', { unplanned: true }),
        deployment('3', '2026-03-02T05:00:00Z'),
      ],
      '2026-03-02',
      '2026-03-02',
    );
    expect(metrics.deploymentFrequency.trend).toBe('increasing');
    expect(metrics.deploymentReworkRate.trend).toBe('increasing');
    expect(metrics.changeFailureRate.trend).toBe('stable');
    expect(metrics.leadTimeForChanges.trend).toBe('stable');
  });
});
