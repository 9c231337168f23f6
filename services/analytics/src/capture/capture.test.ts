import { analyticsSuite, event } from '../__testUtils__/analyticsSuite.ts';
import { allEngines } from '../__testUtils__/startAnalytics.ts';

describe.each(allEngines)('capturing on %s', engine => {
  const suite = analyticsSuite(engine, 'project');

  it('stores an event that queries return immediately', async () => {
    const captured = await suite.client.capture({
      ...event,
      properties: { plan: 'pro', seats: 3, nested: { a: [1] } },
      timestamp: '2026-11-21T09:00:00+00:00',
    });
    expect(captured).toMatchObject({ status: 200, body: { status: 1 } });
    const { status, body } = await suite.client.query({
      select: [
        '*',
        'event',
        'properties.plan',
        'properties.seats',
        'timestamp',
      ],
      event: 'signed up',
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      columns: [
        '*',
        'event',
        'properties.plan',
        'properties.seats',
        'timestamp',
      ],
      types: [
        'JSON',
        'String',
        'Nullable(String)',
        'Nullable(String)',
        "DateTime64(3, 'UTC')",
      ],
      results: [
        [
          {
            uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
            event: 'signed up',
            distinct_id: 'ada',
            properties: { plan: 'pro', seats: 3, nested: { a: [1] } },
            timestamp: '2026-11-21T09:00:00.000Z',
            created_at: '2026-11-21T10:00:00.000Z',
          },
          'signed up',
          'pro',
          '3',
          '2026-11-21T09:00:00.000Z',
        ],
      ],
      hasMore: false,
      limit: 100,
      offset: 0,
    });
  });

  it('stores an event once if its uuid is sent twice', async () => {
    const uuid = '01a1fd90-4447-707d-b85d-d570e463c97d';
    await suite.client.batch([
      { ...event, uuid },
      { ...event, uuid: uuid.toUpperCase() },
    ]);
    expect(await suite.client.count()).toBe(1);
    suite.clock.now += 26 * 3_600_000;
    await suite.client.capture({ ...event, uuid });
    expect(await suite.client.count()).toBe(1);
    await suite.client.capture({ ...event, uuid }, suite.other.key);
    expect(await suite.client.count(suite.other.token)).toBe(1);
  });

  it('keeps projects apart', async () => {
    await suite.client.capture(event);
    expect(await suite.client.count(suite.other.token)).toBe(0);
    expect(await suite.client.count()).toBe(1);
  });
});
