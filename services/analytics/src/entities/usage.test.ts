import type { Service } from '@slipway/service-kit';
import { FakePortal } from '@slipway/service-kit/testing';
import {
  clientOf,
  PROJECT_KEY,
  startAnalytics,
} from '../__testUtils__/startAnalytics.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');

let portal: FakePortal;
let service: Service;

beforeAll(async () => {
  portal = await FakePortal.start();
  portal.entities = [
    {
      kind: 'Component',
      metadata: {
        name: 'shop',
        annotations: { 'slipway.dev/analytics-project': 'shop' },
      },
    },
    { kind: 'Component', metadata: { name: 'docs' } },
    {
      kind: 'Component',
      metadata: {
        name: 'secret',
        annotations: { 'slipway.dev/analytics-project': 'closed' },
      },
    },
  ];
  service = await startAnalytics({
    now: () => NOW,
    config: {
      portal: { baseUrl: portal.baseUrl },
      projects: [
        {
          id: 'shop',
          name: 'Shop',
          keys: [{ name: 'test', key: PROJECT_KEY }],
        },
        { id: 'closed', name: 'Closed', readers: ['group:default/search'] },
      ],
    },
  });
  await clientOf(service).batch([
    { event: 'bought', distinct_id: 'a', timestamp: '2026-11-20T10:00:00Z' },
    { event: 'bought', distinct_id: 'b', timestamp: '2026-11-20T11:00:00Z' },
    { event: 'looked', distinct_id: 'b', timestamp: '2026-11-20T12:00:00Z' },
    { event: 'bought', distinct_id: 'a', timestamp: '2026-10-01T10:00:00Z' },
  ]);
});

afterAll(async () => {
  await service.stop();
  await portal.stop();
});

async function get(name: string, rest: string) {
  const response = await service.app.inject({
    url: `/api/v1/entities/${encodeURIComponent(`component:default/${name}`)}/${rest}`,
    headers: { cookie: await portal.cookie('user:default/grace') },
  });
  expect(response.statusCode).toBe(200);
  return response.json();
}

it('shows how a product is used, compared with the preceding 30 days', async () => {
  expect(await get('shop', 'summary')).toEqual({
    state: 'good',
    page: '/analytics?project=shop',
    facts: [
      {
        id: 'people:shop',
        label: 'People (30 d)',
        kind: 'count',
        value: 2,
        previous: 1,
        tone: 'better',
        page: '/analytics?project=shop',
      },
      {
        id: 'events:shop',
        label: 'Events (30 d)',
        kind: 'count',
        value: 3,
        previous: 1,
        tone: 'same',
        page: '/analytics?project=shop',
      },
    ],
    needs: [],
  });
  expect(await get('shop', 'timeline')).toEqual({
    items: [],
    truncated: false,
  });
});

it('explains how to connect a component without a project', async () => {
  expect(await get('docs', 'summary')).toMatchObject({
    state: 'unconnected',
    message: expect.stringContaining('slipway.dev/analytics-project'),
  });
});

it('reveals nothing about a project that the caller may not read', async () => {
  expect(await get('secret', 'summary')).toEqual({
    state: 'quiet',
    message: 'Its project was not found, or is hidden from you.',
    page: '/analytics',
    facts: [],
    needs: [],
  });
});

it('counts a person with several ids once', async () => {
  const timestamp = '2026-11-20T13:00:00Z';
  await clientOf(service).batch([
    { event: 'looked', distinct_id: 'anonymous-1', timestamp },
    {
      event: '$identify',
      distinct_id: 'b',
      properties: { $anon_distinct_id: 'anonymous-1' },
      timestamp,
    },
  ]);
  expect((await get('shop', 'summary')).facts).toMatchObject([
    { label: 'People (30 d)', value: 2 },
    { label: 'Events (30 d)', value: 5 },
  ]);
});
