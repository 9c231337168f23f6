import { mockCredentials, mockServices } from '@backstage/backend-test-utils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { describeMetrics, LAKE } from './__testUtils__/describeMetrics';

describeMetrics('routes of metrics', start => {
  it('derives only the scope before it reads', async () => {
    const { get, deriver } = await start(LAKE);
    await get('/dora-metrics');
    await get('/dora-series?team=search');
    await get('/breakdown?project=nowhere');
    await get('/improvements?service=service-4');

    expect(deriver.drained).toEqual(['all', [3], [5]]);
  });

  it.each([
    ['/dora-metrics?startDate=yesterday', /^startDate: must be/],
    ['/dora-metrics?endDate=2026-02-30', /^endDate: must be/],
    ['/dora-metrics?startDate=2026-05-02&endDate=2026-05-01', /^startDate: /],
    ['/dora-metrics?team=a&team=b', /^team: must be given once/],
    ['/dora-metrics?project=a%00b', /^project: must not contain/],
    [`/dora-metrics?service=${'a'.repeat(513)}`, /^service: must have/],
    [
      '/dora-series?interval=year',
      /^interval: must be one of day, week, month/,
    ],
    ['/dora-series?interval=day&startDate=2020-01-01', /^interval: /],
    ['/breakdown?by=person', /^by: must be one of team, project, service/],
    ['/breakdown?limit=0', /^limit: must be a whole number from 1 to 200/],
    ['/improvements?endDate=now', /^endDate: /],
  ])('answers 400 to %s', async (path, message) => {
    const { get } = await start([]);
    const { status, body } = await get(path);
    expect(status).toBe(400);
    expect(body).toEqual({ error: expect.stringMatching(message) });
  });

  it('allows callers who may read, and checks that before it validates the query', async () => {
    const { call } = await start([], {
      features: [
        mockServices.permissions.factory({ result: AuthorizeResult.DENY }),
      ],
    });
    for (const path of [
      'dora-metrics',
      'dora-series',
      'breakdown',
      'improvements',
    ]) {
      const denied = await call('get', `/${path}?startDate=never`);
      expect(denied.status).toBe(403);
      expect(denied.body).toEqual({
        error: 'Permission delivery-lake.delivery.read is required',
      });
      const anonymous = await call(
        'get',
        `/${path}`,
        mockCredentials.none.header(),
      );
      expect(anonymous.status).toBe(401);
      const posted = await call('post', `/${path}`);
      expect(posted.status).toBe(405);
      expect(posted.headers.allow).toBe('GET');
    }
  });
});
