import fc from 'fast-check';
import { foldChange, foldDeployment, foldIncident } from './foldRecords';
import {
  ChangeEvent,
  DeploymentEvent,
  digestEvent,
  IncidentEvent,
} from './LakeEvent';

const NOON = Date.UTC(2026, 0, 5, 12);

function deployment(fields: Partial<DeploymentEvent>): DeploymentEvent {
  return {
    kind: 'deployment',
    source: 'ci',
    externalId: '1',
    service: 'shop',
    occurredAt: NOON,
    ...fields,
  };
}

function change(fields: Partial<ChangeEvent>): ChangeEvent {
  return {
    kind: 'change',
    source: 'forge',
    externalId: 'abcdef0',
    repository: 'acme/shop',
    sha: 'abcdef0',
    occurredAt: NOON,
    ...fields,
  };
}

function incident(fields: Partial<IncidentEvent>): IncidentEvent {
  return {
    kind: 'incident',
    source: 'pager',
    externalId: 'P1',
    occurredAt: NOON,
    ...fields,
  };
}

const fold = (...events: DeploymentEvent[]) =>
  foldDeployment(events.map(digestEvent));

describe('foldDeployment', () => {
  it('uses the latest event for each field', () => {
    const record = fold(
      deployment({
        occurredAt: NOON + 2,
        status: 'SUCCESS',
        finishedAt: NOON + 2,
      }),
      deployment({
        environment: 'staging',
        status: 'IN_PROGRESS',
        startedAt: NOON,
        version: '1',
        triggeredBy: 'ada',
      }),
      deployment({ occurredAt: NOON + 1, version: '2' }),
    );
    expect(record).toMatchObject({
      environment: 'staging',
      status: 'SUCCESS',
      startedAt: NOON,
      finishedAt: NOON + 2,
      version: '2',
      triggeredBy: 'ada',
      revision: NOON + 2,
      counted: false,
    });
  });

  it.each([
    [{ status: 'SUCCESS', finishedAt: NOON }, true],
    [{ status: 'ROLLED_BACK', finishedAt: NOON }, true],
    [{ finishedAt: NOON }, true],
    [{ status: 'FAILURE', finishedAt: NOON }, false],
    [{ status: 'CANCELLED', finishedAt: NOON }, false],
    [{ status: 'PENDING' }, false],
    [{ startedAt: NOON }, false],
    [{ environment: 'dev', finishedAt: NOON }, false],
  ] as const)('counts %j: %s', (fields, counted) => {
    expect(fold(deployment(fields))?.counted).toBe(counted);
  });

  it('accepts an end at the same moment as the start', () => {
    const started = deployment({ status: 'IN_PROGRESS', startedAt: NOON });
    const finished = deployment({ status: 'SUCCESS', finishedAt: NOON });
    const record = { status: 'SUCCESS', startedAt: NOON, finishedAt: NOON };
    expect(fold(started, finished)).toMatchObject(record);
    expect(fold(finished, started)).toMatchObject(record);
  });

  it('replaces a start after the finish with the finish', () => {
    const record = fold(
      deployment({ finishedAt: NOON }),
      deployment({ occurredAt: NOON + 5, startedAt: NOON + 5 }),
    );
    expect(record).toMatchObject({ startedAt: NOON, finishedAt: NOON });
  });

  it('dates an end without a time by the first event that reports it', () => {
    const record = fold(
      deployment({ occurredAt: NOON + 3, status: 'ROLLED_BACK' }),
      deployment({ occurredAt: NOON + 1, status: 'SUCCESS' }),
      deployment({ status: 'IN_PROGRESS' }),
    );
    expect(record).toMatchObject({
      startedAt: NOON + 1,
      finishedAt: NOON + 1,
      status: 'ROLLED_BACK',
      counted: true,
    });
  });

  it('has no finish while it runs again', () => {
    const record = fold(
      deployment({ status: 'FAILURE', startedAt: NOON, finishedAt: NOON }),
      deployment({ occurredAt: NOON + 9, status: 'IN_PROGRESS' }),
    );
    expect(record).toMatchObject({ startedAt: NOON, finishedAt: null });
  });

  it('ends when its last run did', () => {
    const record = fold(
      deployment({ status: 'FAILURE', finishedAt: NOON }),
      deployment({ occurredAt: NOON + 5, status: 'IN_PROGRESS' }),
      deployment({ occurredAt: NOON + 9, status: 'SUCCESS' }),
    );
    expect(record).toMatchObject({ status: 'SUCCESS', finishedAt: NOON + 9 });
  });

  it('does not give one commit the message of another', () => {
    const record = fold(
      deployment({ commit: { sha: 'aaaaaaa', message: 'First', author: 'A' } }),
      deployment({ occurredAt: NOON + 1, commit: { sha: 'bbbbbbb' } }),
    );
    expect(record?.commit).toEqual({ sha: 'bbbbbbb', message: '', author: '' });
    expect(record?.repository).toBe('service:shop');
  });

  it('is removed once deleted, and can be created again', () => {
    const told = deployment({ version: '1', triggeredBy: 'ada' });
    const deleted = deployment({ deleted: true });
    const again = deployment({ occurredAt: NOON + 1, version: '2' });
    expect(fold(told, deleted)).toBeUndefined();
    expect(fold(deleted, told)).toBeUndefined();
    expect(fold(again, deleted, told)).toMatchObject({
      version: '2',
      triggeredBy: '',
    });
  });

  it('does not exist until its service is known', () => {
    expect(fold(deployment({ service: undefined }))).toBeUndefined();
  });
});

describe('foldChange', () => {
  it('is positioned by landing time, otherwise commit time, otherwise event time', () => {
    const position = (fields: Partial<ChangeEvent>) =>
      foldChange([digestEvent(change(fields))])?.position;
    expect(position({ landedAt: NOON - 1, sequence: 3 })).toBe(
      (NOON - 1) * 2048 + 3,
    );
    expect(position({ committedAt: NOON - 2 })).toBe((NOON - 2) * 2048);
    expect(position({})).toBe(NOON * 2048);
  });
});

describe('foldIncident', () => {
  const foldAll = (...events: IncidentEvent[]) =>
    foldIncident(events.map(digestEvent));

  it('is open again if the latest event says that it is not resolved', () => {
    const opened = incident({
      startedAt: NOON,
      deployment: { sha: 'abcdef0' },
    });
    const resolved = incident({ occurredAt: NOON + 1, resolvedAt: NOON + 1 });
    const reopened = incident({
      occurredAt: NOON + 2,
      resolvedAt: null,
      deployment: null,
    });
    expect(foldAll(resolved, opened)).toMatchObject({
      startedAt: NOON,
      resolvedAt: NOON + 1,
      link: { sha: 'abcdef0' },
    });
    expect(foldAll(reopened, resolved, opened)).toMatchObject({
      resolvedAt: null,
      link: null,
    });
  });

  it('replaces a beginning after the end with the end', () => {
    expect(
      foldAll(
        incident({ resolvedAt: NOON }),
        incident({ occurredAt: NOON + 1, startedAt: NOON + 1 }),
      ),
    ).toMatchObject({ startedAt: NOON, resolvedAt: NOON });
  });
});

describe('any order', () => {
  const moment = fc.integer({ min: 0, max: 4 }).map(offset => NOON + offset);
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.option(arbitrary, { nil: undefined });
  const word = maybe(fc.constantFrom('a', 'b', 'c'));
  const deploymentEvent = fc
    .record({
      occurredAt: moment,
      deleted: maybe(fc.constantFrom(true, false)),
      service: word,
      status: maybe(
        fc.constantFrom('PENDING', 'IN_PROGRESS', 'SUCCESS', 'ROLLED_BACK'),
      ),
      startedAt: maybe(moment),
      finishedAt: maybe(moment),
      version: word,
      commit: maybe(
        fc.record({ sha: fc.constantFrom('a', 'b'), message: word }),
      ),
      changes: maybe(fc.array(fc.constantFrom('a', 'b'))),
      rollbackOf: maybe(fc.constantFrom<string | true>('x', true)),
    })
    .map(fields => deployment(fields as Partial<DeploymentEvent>));
  const incidentEvent = fc
    .record({
      occurredAt: moment,
      deleted: maybe(fc.constant(true)),
      startedAt: maybe(moment),
      resolvedAt: fc.option(maybe(moment)),
      title: word,
      service: word,
    })
    .map(fields => incident(fields));

  it.each([
    ['deployment', deploymentEvent, foldDeployment],
    ['incident', incidentEvent, foldIncident],
  ] as const)('comes to the same %s', (_, event, foldAny) => {
    fc.assert(
      fc.property(
        fc
          .array(event as fc.Arbitrary<DeploymentEvent & IncidentEvent>, {
            minLength: 1,
            maxLength: 6,
          })
          .chain(events =>
            fc.tuple(
              fc.constant(events),
              fc.shuffledSubarray(events, { minLength: events.length }),
            ),
          ),
        ([events, shuffled]) => {
          const run = foldAny as (known: object[]) => unknown;
          expect(run(shuffled.map(digestEvent))).toEqual(
            run(events.map(digestEvent)),
          );
        },
      ),
    );
  });
});
