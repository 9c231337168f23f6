import { DORA_METRICS } from '@slipway/plugin-delivery-lake-common';
import { IANAZone } from 'luxon';
import {
  at,
  describeMetrics,
  HOUR,
  LAKE,
  NOW,
} from './__testUtils__/describeMetrics';
import { expectedMetrics } from './__testUtils__/expectedMetrics';

describeMetrics('GET /dora-series', start => {
  it('returns a series whose points are the metrics of their interval', async () => {
    const { get } = await start(LAKE, {}, 'Europe/Berlin');
    const { body } = await get(
      '/dora-series?startDate=2026-10-22&interval=week&team=payments',
    );

    expect(body).toMatchObject({
      period: { startDate: '2026-10-22', endDate: '2026-11-20' },
      interval: 'week',
      timeZone: 'Europe/Berlin',
    });
    expect(
      body.points.map((point: { startDate: string; partial: boolean }) => [
        point.startDate,
        point.partial,
      ]),
    ).toEqual([
      ['2026-10-22', true],
      ['2026-10-26', false],
      ['2026-11-02', false],
      ['2026-11-09', false],
      ['2026-11-16', true],
    ]);
    const payments = LAKE.filter(({ team }) => team?.endsWith('/payments'));
    for (const point of body.points) {
      const period = {
        start: Date.parse(point.start),
        end: Date.parse(point.end),
      };
      const expected = expectedMetrics(payments, period);
      for (const metric of DORA_METRICS) {
        const { value, samples } = expected[metric];
        expect(point.metrics[metric]).toEqual({
          samples,
          value: samples ? Math.round(value * 10_000) / 10_000 : null,
        });
      }
      expect(point.provisional).toBe(period.end > NOW - 24 * HOUR);
    }
  });

  it('does not divide by days that are still to come', async () => {
    // A sender's clock may be ahead.
    const early = {
      ...LAKE[0],
      name: 'early',
      deployments: [{ finishedAt: at('2026-11-23', '00:02') }],
      outages: [],
    };
    const { get } = await start([...LAKE, early]);
    const [running, full] = await Promise.all(
      ['2026-11-20', '2026-11-30'].map(endDate =>
        get(`/dora-series?startDate=2026-11-16&endDate=${endDate}`),
      ),
    );
    const [week, next] = full.body.points;
    const { deploymentFrequency } = running.body.points[0].metrics;
    expect(deploymentFrequency.value).toBeGreaterThan(0);
    expect(week.metrics.deploymentFrequency).toEqual(deploymentFrequency);
    expect(week).toMatchObject({ endDate: '2026-11-22', partial: false });
    expect(next.metrics.deploymentFrequency).toEqual({
      value: null,
      samples: 0,
    });
  });

  it('has no value where there is nothing', async () => {
    const { get } = await start();
    const { body } = await get(
      '/dora-series?startDate=2026-05-08&endDate=2026-05-08&interval=day',
    );
    expect(body.points).toHaveLength(1);
    expect(body.points[0]).toMatchObject({
      partial: false,
      provisional: false,
    });
    expect(Object.values(body.points[0].metrics)).toEqual(
      DORA_METRICS.map(() => ({ value: null, samples: 0 })),
    );
  });

  it('converts time zones only a few times per point', async () => {
    const { get } = await start(LAKE, {}, 'Europe/Berlin');
    const looks = vi.spyOn(IANAZone.prototype, 'offset');
    const { body } = await get(
      '/dora-series?startDate=2024-03-01&interval=day',
    );
    const count = looks.mock.calls.length;
    looks.mockRestore();

    expect(body.points).toHaveLength(995);
    expect(count).toBeLessThan(3 * 995);
  });
});
