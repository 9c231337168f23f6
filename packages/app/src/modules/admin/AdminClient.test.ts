import type { EntityPart } from '@slipway/app-react';
import type { Administration } from '@slipway/entity-contract';
import { AdminClient } from './AdminClient';

const part = (id: string, more: Partial<EntityPart>): EntityPart => ({
  id,
  title: id,
  icon: () => null,
  path: '',
  order: 0,
  kinds: [],
  ...more,
});

const empty: Administration = { roles: [], tokens: [], webhooks: [] };

/** Creates a client whose responses are chosen by the end of the URL; all other requests fail. */
function clientWith(answers: Record<string, object>) {
  const requests: string[] = [];
  const client = new AdminClient({
    discoveryApi: { getBaseUrl: async id => `http://portal/api/${id}` },
    fetchApi: {
      async fetch(input, init) {
        const path = String(input).replace('http://portal/api', '');
        requests.push(`${init?.method ?? 'GET'} ${path}`);
        const answer = answers[path];
        return answer
          ? Response.json(answer)
          : Response.json({ error: 'It is down' }, { status: 503 });
      },
    },
    parts: {
      list: () => [
        part('flags', { path: '/feature-flags/api/v1' }),
        part('delivery', { pluginId: 'delivery-lake' }),
      ],
    },
  });
  return { client, requests };
}

it('joins what all parts report, and names those that are down', async () => {
  const { client } = clientWith({
    '/proxy/feature-flags/api/v1/administration': {
      ...empty,
      roles: [{ name: 'Admins', groups: [], may: [] }],
      tokens: [{ id: '7', name: 'ci' }],
    },
    '/delivery-lake/administration': empty,
  });
  expect(await client.administration()).toEqual({
    roles: [
      {
        id: 'flags Admins',
        part: 'flags',
        partId: 'flags',
        name: 'Admins',
        groups: [],
        may: [],
      },
    ],
    tokens: [{ id: 'flags 7', part: 'flags', partId: 'flags', name: 'ci' }],
    webhooks: [],
    parts: ['Portal', 'flags', 'delivery'],
    missing: ['Portal'],
  });
});

it('fails with the error of the portal if nothing responds', async () => {
  const { client } = clientWith({});
  await expect(client.administration()).rejects.toThrow('503');
  await expect(client.audit({ from: '', limit: 1 })).rejects.toThrow('503');
});

it('removes and tests below the root of the part', async () => {
  const { client, requests } = clientWith({
    '/proxy/feature-flags/api/admin/api-tokens/7': {},
    '/delivery-lake/connections/c': {},
    '/proxy/feature-flags/api/v1/administration/webhooks/1/redeliveries': {
      deliveries: 2,
    },
    '/proxy/feature-flags/api/admin/notices/1/test': {
      delivered: true,
      error: null,
    },
  });
  const of = (partId: string) => ({ id: '', part: '', partId });
  await client.remove({
    ...of('flags'),
    remove: '/api/admin/api-tokens/7',
  });
  await client.remove({ ...of('delivery'), remove: '/connections/c' });
  await client.test({ ...of('flags'), test: '/api/admin/notices/1/test' });
  const redeliver = '/api/v1/administration/webhooks/1/redeliveries';
  expect(await client.redeliver({ ...of('flags'), redeliver })).toBe(2);
  expect(requests).toEqual([
    'DELETE /proxy/feature-flags/api/admin/api-tokens/7',
    'DELETE /delivery-lake/connections/c',
    'POST /proxy/feature-flags/api/admin/notices/1/test',
    'POST /proxy/feature-flags/api/v1/administration/webhooks/1/redeliveries',
  ]);
});
