import { mockCredentials } from '@backstage/backend-test-utils';
import { DORA_METRICS } from '@slipway/plugin-delivery-lake-common';
import {
  at,
  describeMetrics,
  HOUR,
  LAKE,
  SMALL,
} from './__testUtils__/describeMetrics';
import { expectedMetrics } from './__testUtils__/expectedMetrics';
import { RecordedService } from './__testUtils__/records';

describeMetrics('GET /dora-metrics', start => {
  it('responds with the contract’s fields, and the data they are based on', async () => {
    const { get } = await start();
    const { status, body } = await get(
      '/dora-metrics?team=payments&startDate=2026-05-01&endDate=2026-05-31',
    );

    expect(status).toBe(200);
    expect(body).toEqual({
      project: 'all',
      team: 'payments',
      period: { startDate: '2026-05-01', endDate: '2026-05-31' },
      metrics: {
        deploymentFrequency: {
          value: 0.9032,
          unit: 'deploys/week',
          trend: 'increasing',
          performance: 'medium',
          samples: 4,
          previous: { value: 0.2258, samples: 1 },
        },
        leadTimeForChanges: {
          value: 2,
          unit: 'hours',
          trend: 'decreasing',
          performance: 'elite',
          samples: 3,
          previous: { value: 10, samples: 1 },
        },
        changeFailureRate: {
          value: 50,
          unit: 'percent',
          trend: 'increasing',
          performance: 'low',
          samples: 4,
          previous: { value: 0, samples: 1 },
        },
        timeToRestoreService: {
          value: 0.5,
          unit: 'hours',
          trend: 'stable',
          performance: 'elite',
          samples: 1,
          previous: { value: 0, samples: 0 },
        },
      },
      beyond: {
        failedDeploymentRecoveryTime: expect.objectContaining({
          value: 0.75,
        }),
        deploymentReworkRate: expect.objectContaining({ value: 25 }),
        failures: { linked: 1, guessed: 1 },
        changesWithoutLeadTime: 1,
        openIncidents: 0,
        levels: 'table',
        timeZone: 'UTC',
      },
    });
  });

  it.each([
    ['', () => true],
    ['?team=all&project=all', () => true],
    [
      '?team=payments',
      (s: RecordedService) => s.team === 'group:default/payments',
    ],
    [
      '?team=Group:default/Payments',
      (s: RecordedService) => s.team === 'group:default/payments',
    ],
    [
      '?team=emea/search',
      (s: RecordedService) => s.team === 'group:emea/search',
    ],
    [
      '?project=system:shop',
      (s: RecordedService) => s.project === 'system:default/shop',
    ],
    [
      '?project=shop&team=payments',
      (s: RecordedService) => s.name === 'service-0',
    ],
    ['?service=service-4', (s: RecordedService) => s.name === 'service-4'],
    ['?service=The%20till', (s: RecordedService) => s.name === 'service-1'],
    ['?service=service-4&team=payments', () => false],
    ['?team=nobody', () => false],
    ['?team=:', () => false],
  ])('asks of the right services for %j', async (query, whose) => {
    const { get } = await start(LAKE, {
      directory: {
        'The till': {
          match: 'known',
          ownership: {
            entityRef: 'component:default/service-1',
            team: null,
            project: null,
          },
        },
      },
    });
    const { status, body } = await get(`/dora-metrics${query}`);
    const expected = expectedMetrics(LAKE.filter(whose), {
      start: at('2026-10-21', '00:00'),
      end: at('2026-11-21', '00:00'),
    });

    expect(status).toBe(200);
    expect(body.period).toEqual({
      startDate: '2026-10-21',
      endDate: '2026-11-20',
    });
    const answered = { ...body.metrics, ...body.beyond };
    for (const metric of DORA_METRICS) {
      const { value, samples } = expected[metric];
      const unknown = { trend: 'stable', performance: 'low' };
      expect(answered[metric]).toMatchObject({
        samples,
        value: Math.round(value * 10_000) / 10_000,
        ...(samples === 0 ? unknown : {}),
      });
    }
  });

  it('returns project, team and service unchanged', async () => {
    const { get } = await start();
    const { body } = await get(
      '/dora-metrics?project=Shop&team=group:default/payments&service=till',
    );
    expect(body).toMatchObject({
      project: 'Shop',
      team: 'group:default/payments',
      service: 'till',
    });
    const empty = await get('/dora-metrics?project=&team=');
    expect(empty.body).toMatchObject({ project: 'all', team: 'all' });
    expect(empty.body).not.toHaveProperty('service');
  });

  it('ranks among the teams of the lake if so configured', async () => {
    const busy = (name: string, deployments: number) => ({
      name,
      team: `group:default/${name}`,
      deployments: Array.from({ length: deployments }, (_, index) => ({
        finishedAt: at('2026-05-02') + index * HOUR,
      })),
    });
    const { get, deriver } = await start(
      [busy('a', 1), busy('b', 2), busy('c', 3), busy('d', 4), busy('e', 0)],
      { config: { dora: { levels: 'percentile' } } },
    );
    const may = 'startDate=2026-05-01&endDate=2026-05-31';
    const level = async (query: string) => {
      const { body } = await get(`/dora-metrics?${may}&${query}`);
      expect(body.beyond.levels).toBe('percentile');
      return body.metrics.deploymentFrequency.performance;
    };

    expect(await level('team=a')).toBe('low');
    expect(await level('team=b')).toBe('medium');
    expect(await level('team=c')).toBe('high');
    expect(await level('team=d')).toBe('elite');
    expect(await level('team=e')).toBe('low');
    // Ten in a month are more than one a week.
    expect(await level('')).toBe('high');
    // The lake was ranked once, not for each query.
    expect(deriver.drained.filter(scope => scope === 'all')).toHaveLength(2);
  });

  it('does not divide by days that are still to come', async () => {
    const { get } = await start(LAKE);
    const [today, month] = await Promise.all(
      ['2026-11-20', '2026-11-30'].map(endDate =>
        get(`/dora-metrics?startDate=2026-11-01&endDate=${endDate}`),
      ),
    );
    expect(month.body.metrics).toEqual(today.body.metrics);
    expect(month.body.metrics.deploymentFrequency.samples).toBeGreaterThan(0);
    expect(month.body.period.endDate).toBe('2026-11-30');
    const { body } = await get(
      '/dora-metrics?startDate=2026-12-01&endDate=2026-12-31',
    );
    expect(body.metrics.deploymentFrequency).toMatchObject({
      value: 0,
      samples: 0,
    });
  });

  it('serves service tokens and periods of parts of days', async () => {
    const { call } = await start();
    const service = mockCredentials.service.header();
    const { status, body } = await call(
      'get',
      '/dora-metrics?startDate=2026-05-04T12:00:00Z&endDate=2026-05-06T12:00:00Z',
      service,
    );
    expect(status).toBe(200);
    expect(body.period).toEqual({
      startDate: '2026-05-04',
      endDate: '2026-05-06',
    });
    const expected = expectedMetrics(SMALL, {
      start: at('2026-05-04'),
      end: at('2026-05-06'),
    });
    expect(expected.deploymentFrequency).toEqual({ samples: 2, value: 7 });
    expect(body.metrics.deploymentFrequency).toMatchObject(
      expected.deploymentFrequency,
    );
  });
});
