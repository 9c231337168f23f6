import type { Service } from '@slipway/service-kit';
import { FakePortal } from '@slipway/service-kit/testing';
import {
  API_TOKEN,
  clientOf,
  startAnalytics,
} from '../__testUtils__/startAnalytics.ts';
import { ON_FRIDAY } from './__testUtils__/actorQueries.ts';

describe('an ActorsQuery', () => {
  let portal: FakePortal;
  let service: Service;
  let client: ReturnType<typeof clientOf>;

  beforeAll(async () => {
    portal = await FakePortal.start({
      groups: { 'user:default/ada': ['group:default/admins'] },
    });
    service = await startAnalytics({
      now: () => Date.parse('2026-11-21T10:00:00.000Z'),
      config: {
        portal: { baseUrl: portal.baseUrl },
        projects: [
          {
            id: 'shop',
            name: 'Shop',
            keys: [{ name: 'test', key: 'phc_test_key' }],
            apiTokens: [
              { name: 'test', key: API_TOKEN },
              { name: 'queries', key: 'phx_queries', scopes: ['query'] },
            ],
            readers: ['group:default/admins'],
          },
          { id: 'counted', name: 'Counted', hidesPeople: true },
        ],
      },
    });
    client = clientOf(service);
  });

  afterAll(async () => {
    await service.stop();
    await portal.stop();
  });

  it.each([
    ['shop', 'ada', 200, undefined],
    ['shop', 'grace', 403, 'You may not read this project'],
    ['counted', 'ada', 403, 'This project only counts people'],
    ['shop', undefined, 401, expect.any(String)],
  ])(
    'about %s by %s is answered with %i',
    async (project, user, ...expected) => {
      const authorization =
        user && `Bearer ${await portal.token(`user:default/${user}`)}`;
      const { status, body } = await client.post(
        `/api/projects/${project}/query`,
        { query: { kind: 'ActorsQuery', source: ON_FRIDAY } },
        { ...(authorization && { authorization }) },
      );
      expect([status, body.detail]).toEqual(expected);
    },
  );

  it.each([
    [API_TOKEN, 200, undefined],
    ['phx_queries', 403, 'The scopes of this token do not include persons'],
  ])('with the token %s is answered with %i', async (token, ...expected) => {
    const { status, body } = await client.query(
      { kind: 'ActorsQuery', source: ON_FRIDAY },
      token,
    );
    expect([status, body.detail]).toEqual(expected);
  });

  it('cannot be saved', async () => {
    const { status, body } = await client.post(
      '/api/projects/shop/insights',
      {
        name: 'People',
        query: { kind: 'ActorsQuery', source: ON_FRIDAY },
      },
      { authorization: `Bearer ${await portal.token('user:default/ada')}` },
    );
    expect([status, body.attr]).toEqual([400, 'query.kind']);
  });
});
