import { ResponseError } from '@backstage/errors';
import { mockApis } from '@backstage/frontend-test-utils';
import { SpaceClient } from './SpaceClient';

interface Sent {
  method?: string;
  url: string;
  body?: unknown;
}

function clientAnswering(answer: () => Response, sent: Sent[] = []) {
  return new SpaceClient({
    discoveryApi: mockApis.discovery({ baseUrl: 'http://portal' }),
    identityApi: mockApis.identity({ userEntityRef: 'user:default/grace' }),
    fetchApi: {
      fetch: async (input, init) => {
        const { method, body } = init ?? {};
        sent.push({
          url: String(input),
          ...(method && { method }),
          ...(typeof body === 'string' && { body: JSON.parse(body) }),
        });
        return answer();
      },
    },
  });
}

describe('SpaceClient', () => {
  it('reads a dimension through the proxy, and separates fields from metadata', async () => {
    const sent: Sent[] = [];
    const client = clientAnswering(
      () =>
        Response.json({
          dimension: 'satisfaction',
          team: 'payments',
          period: { start: '2026-11-02', end: '2026-11-08' },
          data: {
            enps_score: null,
            avg_rating: null,
            response_count: 3,
            nps_breakdown: {
              promoters: null,
              passives: null,
              detractors: null,
            },
            trend: 'stable',
            series: [
              {
                start: '2026-11-02',
                end: '2026-11-08',
                enps_score: null,
                avg_rating: null,
                response_count: 3,
                samples: { responses: 3, people: 3 },
              },
            ],
            samples: { responses: 3, people: 3 },
            suppressed: true,
            minimum_group_size: 5,
            weeks: { current: 4, previous: 5 },
          },
        }),
      sent,
    );
    const report = await client.getDimension('satisfaction', {
      team: 'payments',
      startDate: '2026-11-02',
      endDate: '2026-11-08',
      granularity: 'weekly',
    });
    expect(sent).toEqual([
      {
        url: 'http://portal/api/proxy/space-metrics/api/v1/metrics/space/satisfaction?team=payments&start_date=2026-11-02&end_date=2026-11-08&granularity=weekly',
      },
    ]);
    const values = { avg_rating: null, enps_score: null, response_count: 3 };
    const samples = { responses: 3, people: 3 };
    expect(report).toMatchObject({
      values,
      samples,
      series: [
        { startDate: '2026-11-02', endDate: '2026-11-08', values, samples },
      ],
      suppressed: true,
      minimumGroupSize: 5,
      weeks: { current: 4, previous: 5 },
      stale: false,
    });
  });

  it('sends what the contract has, with the user of the session', async () => {
    const sent: Sent[] = [];
    const client = clientAnswering(
      () => Response.json({ status: 'success' }, { status: 201 }),
      sent,
    );
    await client.submitPulse({
      satisfaction: 4,
      productivity: 3,
      recommend: 9,
      blockers: '',
      wins: 'Shipped',
    });
    await client.submitFriction({
      category: 'build',
      description: 'Slow',
      severity: 'high',
      minutesLost: 30,
    });
    expect(sent.map(({ body }) => body)).toEqual([
      {
        user_id: 'user:default/grace',
        responses: {
          overall_satisfaction: 4,
          productivity_this_week: 3,
          recommend: 9,
          blockers: '',
          wins: 'Shipped',
        },
      },
      {
        user_id: 'user:default/grace',
        category: 'build',
        description: 'Slow',
        severity: 'high',
        time_lost_minutes: 30,
      },
    ]);
  });

  it('does not treat a person without stored data as an error', async () => {
    const missing = clientAnswering(() => new Response('', { status: 404 }));
    expect(await missing.getMyRecords()).toBeUndefined();
    const broken = clientAnswering(() => new Response('', { status: 504 }));
    await expect(broken.getMyRecords()).rejects.toBeInstanceOf(ResponseError);
  });
});
