import { parseItem, parseItems } from './parseItems';

const NOW = Date.UTC(2026, 10, 21, 12);
const DEFAULTS = { source: 'external:ci', now: NOW };
const SHA = 'abcdef0123456789abcdef0123456789abcdef01';

const eventOf = (...args: Parameters<typeof parseItem>) => {
  const item = parseItem(...args);
  if ('error' in item) {
    throw new Error(item.error);
  }
  return item.event;
};

describe('deployments', () => {
  it('require only an id, a service and a status', () => {
    expect(
      eventOf(
        'deployment',
        { id: '7', service: 'shop', status: 'SUCCESS', unknown: 1 },
        DEFAULTS,
      ),
    ).toEqual({
      kind: 'deployment',
      source: 'external:ci',
      externalId: '7',
      service: 'shop',
      status: 'SUCCESS',
      occurredAt: NOW,
    });
  });

  it('accept every documented field', () => {
    const item = {
      source: 'jenkins',
      id: 'build-7',
      service: 'component:default/shop',
      environment: 'production',
      status: 'ROLLED_BACK',
      startedAt: '2026-11-21T10:00:00+02:00',
      finishedAt: 1_795_249_800_000,
      occurredAt: '2026-11-21T09:00:00.250Z',
      version: '1.4.0',
      triggeredBy: 'ada',
      repository: 'acme/shop',
      commit: {
        sha: SHA,
        message: 'Fix',
        author: 'Ada',
        committedAt: '2026-11-20T09:00:00+0100',
      },
      changes: [SHA],
      rollbackOf: true,
      unplanned: true,
      url: 'https://ci.example.org/7',
      deleted: false,
    };
    const { id, ...fields } = item;
    expect(eventOf('deployment', item, DEFAULTS)).toEqual({
      ...fields,
      kind: 'deployment',
      externalId: id,
      startedAt: Date.UTC(2026, 10, 21, 8),
      occurredAt: Date.UTC(2026, 10, 21, 9, 0, 0, 250),
      commit: { ...item.commit, committedAt: Date.UTC(2026, 10, 20, 8) },
    });
  });

  it('succeed if they finish without a status', () => {
    const times = { startedAt: NOW - 2, finishedAt: NOW - 1 };
    const item = { id: '7', service: 'shop' };
    expect(
      eventOf('deployment', { ...item, ...times }, DEFAULTS),
    ).toMatchObject({ status: 'SUCCESS', occurredAt: NOW - 1 });
    const started = eventOf(
      'deployment',
      { ...item, startedAt: NOW - 2 },
      DEFAULTS,
    );
    expect(started).toMatchObject({ occurredAt: NOW - 2 });
    expect(started).toHaveProperty('status', undefined);
  });

  it('are deleted by their id', () => {
    expect(
      eventOf('deployment', { id: '7', deleted: true }, DEFAULTS),
    ).toMatchObject({ externalId: '7', deleted: true });
  });

  it.each([
    [{ service: 'shop' }, 'id', 'id is required'],
    [{ id: '7' }, 'service', 'service is required'],
    [{ id: ' ', service: 'shop' }, 'id', 'id: must not be empty'],
    [{ id: 7, service: 'shop' }, 'id', expect.stringMatching(/^id: /)],
    [
      { id: '7', service: 'x'.repeat(256) },
      'service',
      'service: must have at most 255 characters',
    ],
    [
      { id: '7', service: 'shop', status: 'DONE' },
      'status',
      expect.stringMatching(/^status: must be one of PENDING, /),
    ],
    [
      { id: '7', service: 'shop', commit: {} },
      'commit.sha',
      'commit.sha is required',
    ],
    [
      { id: '7', service: 'shop', changes: [SHA, 'main'] },
      'changes[1]',
      'changes[1]: must be 7 to 64 hexadecimal digits',
    ],
    [
      { id: '7', service: 'shop', url: 'ftp://example.org/7' },
      'url',
      'url: must be an http(s) address',
    ],
    ['text', undefined, expect.any(String)],
    [null, undefined, expect.any(String)],
  ])('say what is wrong with %j', (item, field, error) => {
    expect(parseItem('deployment', item, DEFAULTS)).toEqual({ field, error });
  });
});

describe('times', () => {
  it.each([
    'yesterday',
    '2026-11-21',
    '2026-11-21T10:00:00',
    '2026-02-30T10:00Z',
    {},
    null,
  ])('are not %j', finishedAt => {
    const item = { id: '7', service: 'shop', finishedAt };
    expect(parseItem('deployment', item, DEFAULTS)).toEqual({
      field: 'finishedAt',
      error:
        'finishedAt: must be an ISO 8601 timestamp with an offset, or milliseconds since 1970',
    });
  });
});

describe('changes', () => {
  it('are created when they land', () => {
    const item = { repository: 'acme/shop', sha: SHA, landedAt: NOW - 5 };
    expect(eventOf('change', item, DEFAULTS)).toEqual({
      ...item,
      kind: 'change',
      source: 'external:ci',
      externalId: SHA,
      occurredAt: NOW - 5,
    });
  });
});

describe('incidents', () => {
  const lakeId = 'deploy-0199c0de-0000-7000-8000-000000000000';

  it.each([
    ['build-7', { source: 'pager', externalId: 'build-7' }],
    [lakeId, { id: lakeId }],
    [
      { source: 'ci', id: 'build-7', sha: SHA },
      { source: 'ci', externalId: 'build-7', sha: SHA },
    ],
    [{ externalId: 'build-7' }, { source: 'pager', externalId: 'build-7' }],
    [{ sha: SHA }, { sha: SHA }],
    [null, null],
  ])('link to a deployment by %j', (deployment, link) => {
    const item = { source: 'pager', id: 'P1', deployment };
    expect(eventOf('incident', item, DEFAULTS)).toHaveProperty(
      'deployment',
      link,
    );
  });

  it('do not link to nothing', () => {
    expect(
      parseItem('incident', { id: 'P1', deployment: {} }, DEFAULTS),
    ).toMatchObject({ field: 'deployment' });
  });
});

describe('a body', () => {
  it('is an item or up to a thousand', () => {
    const item = { id: '7', service: 'shop' };
    const parse = (body: unknown) => parseItems('deployment', body, DEFAULTS);
    expect(parse(item)).toHaveLength(1);
    expect(parse([item, {}])).toMatchObject([{}, { error: 'id is required' }]);
    expect(() => parse([])).toThrow('The batch is empty');
    expect(() => parse(Array(1_001).fill(item))).toThrow(
      'The batch has 1001 items; send at most 1000 at once',
    );
  });
});
