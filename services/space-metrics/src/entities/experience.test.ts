import type { Service } from '@slipway/service-kit';
import { FakePortal } from '@slipway/service-kit/testing';
import {
  clientOf,
  startSpaceMetrics,
} from '../__testUtils__/startSpaceMetrics.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

let portal: FakePortal;
let service: Service;

beforeEach(async () => {
  portal = await FakePortal.start({
    groups: {
      'user:default/grace': ['group:default/payments'],
      'user:default/lin': [],
    },
  });
  portal.entities = [
    {
      kind: 'Component',
      metadata: { name: 'shop' },
      relations: [{ type: 'ownedBy', targetRef: 'group:default/payments' }],
    },
    {
      kind: 'Component',
      metadata: { name: 'tool' },
      relations: [{ type: 'ownedBy', targetRef: 'user:default/lin' }],
    },
  ];
  service = await startSpaceMetrics({
    now: () => NOW,
    config: {
      portal: { baseUrl: portal.baseUrl },
      privacy: { minimumGroupSize: 2 },
    },
  });
});

afterEach(async () => {
  await service.stop();
  await portal.stop();
});

async function get(ref: string, user = 'grace') {
  const response = await service.app.inject({
    url: `/api/v1/entities/${encodeURIComponent(ref)}/summary`,
    headers: { cookie: await portal.cookie(`user:default/${user}`) },
  });
  expect(response.statusCode).toBe(200);
  return response.json();
}

it('shows no numbers for a group that is too small', async () => {
  await clientOf(service).survey('grace', 5, {
    team: 'payments',
    timestamp: '2026-11-01T10:00:00Z',
    recommend: 10,
  });
  const { state, facts, page } = await get('component:default/shop');
  expect(state).toBe('quiet');
  expect(page).toBe('/experience?team=payments');
  expect(facts.map(({ value }: { value: unknown }) => value)).toEqual([
    null,
    null,
    null,
  ]);
});

it('asks only callers whose own survey is due', async () => {
  const own = await get('user:default/grace');
  expect(own.needs).toEqual([
    expect.objectContaining({
      kind: 'survey-due',
      page: '/experience/pulse',
      action: 'Answer survey',
    }),
  ]);
  expect((await get('component:default/shop')).needs).toEqual([]);
  await service.app.inject({
    method: 'POST',
    url: '/api/v1/surveys/pulse/submit',
    headers: { cookie: await portal.cookie('user:default/grace') },
    payload: {
      user_id: 'grace',
      timestamp: '2026-11-20T11:00:00Z',
      responses: {
        overall_satisfaction: 4,
        productivity_this_week: 3,
        blockers: '',
        wins: '',
      },
    },
  });
  expect((await get('user:default/grace')).needs).toEqual([]);
});

it('reports that a component without a team has no data', async () => {
  expect(await get('component:default/tool', 'lin')).toMatchObject({
    state: 'unconnected',
    facts: [],
  });
});
