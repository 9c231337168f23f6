import { at, eventsOf } from '../__testUtils__/mapping';
import { example, INCIDENT, map, SHA } from './__testUtils__/examples';

describe('issues', () => {
  const issue = (action: string, changes: object = {}) => {
    const payload = example('issues', candidate => candidate.action === action);
    Object.assign(payload.issue as object, changes);
    return payload;
  };

  it('with the label is an incident from its opening', () => {
    const payload = issue('labeled', {
      body: `It broke.\n\nCaused by: ${SHA}\n`,
    });
    payload.issue?.labels.push({ name: 'Severity::1' });
    expect(eventsOf(map('issues', payload, INCIDENT))).toEqual([
      {
        kind: 'incident',
        source: 'github',
        externalId: 'Codertocat/Hello-World#1',
        occurredAt: at('2019-05-15T15:20:18Z'),
        service: 'Codertocat/Hello-World',
        title: 'Spelling error in the README file',
        severity: 'sev1',
        startedAt: at('2019-05-15T15:20:18Z'),
        resolvedAt: null,
        deployment: { sha: SHA },
        url: 'https://github.com/Codertocat/Hello-World/issues/1',
      },
    ]);
  });

  it('is resolved when it is closed, and open again when it is reopened', () => {
    const closed = issue('edited', {
      state: 'closed',
      closed_at: '2019-05-15T18:00:00Z',
      updated_at: '2019-05-15T18:00:00Z',
    });
    expect(eventsOf(map('issues', closed, INCIDENT))[0]).toMatchObject({
      resolvedAt: at('2019-05-15T18:00:00Z'),
    });
    expect(
      eventsOf(
        map('issues', issue('reopened', { state: 'open' }), INCIDENT),
      )[0],
    ).toMatchObject({ resolvedAt: null });
  });

  it('is removed without the label, and ignored if it never had it', () => {
    expect(eventsOf(map('issues', issue('unlabeled'), INCIDENT))).toEqual([
      {
        kind: 'incident',
        source: 'github',
        externalId: 'Codertocat/Hello-World#1',
        occurredAt: at('2019-05-15T15:20:26Z'),
        deleted: true,
      },
    ]);
    expect(map('issues', issue('unlabeled')).ignored).toBe(
      'Issue Codertocat/Hello-World#1 has no label that makes it an incident (incident)',
    );
    expect(
      eventsOf(map('issues', issue('deleted'), INCIDENT))[0],
    ).toMatchObject({ deleted: true });
  });
});
