import type { Sender } from '@slipway/platform-guards';
import type { Connection } from '../storage/DatabaseConnectionStore';
import { lakeConfig } from '../webhooks/__testUtils__/mapping';
import { reportDelivery } from './reportDelivery';

const AT = Date.parse('2026-03-05T09:00:00Z');

const connection: Connection = {
  id: 'connection-1',
  forge: 'pagerduty',
  repository: 'acme.pagerduty.com',
  createdBy: 'user:default/ada',
  createdAt: AT,
  lastDelivery: null,
  lastRefusedAt: AT,
};

function report(changes: Partial<Connection>) {
  return reportDelivery({
    adminGroups: [],
    config: lakeConfig({ pagerduty: { secrets: ['between us'] } }),
    connections: {
      list: async () => [{ ...connection, ...changes }],
      lastDeliveries: async () => new Map<Sender, number | null>(),
    },
  });
}

it('reports trackers like forges', async () => {
  const { tokens, webhooks } = await report({});
  expect(tokens.map(({ id }) => id)).toEqual([
    'connection-1',
    'forge-pagerduty',
  ]);
  expect(webhooks).toMatchObject([
    {
      id: 'connection-1',
      kind: 'PagerDuty',
      error: 'The signature of the last delivery is not valid',
    },
    { id: 'forge-pagerduty', name: 'Deliveries from PagerDuty' },
  ]);
});

it('reports no secret, and no wrong signature, before the secret was entered', async () => {
  const { tokens, webhooks } = await report({ needsSecret: true });
  expect(tokens.map(({ id }) => id)).toEqual(['forge-pagerduty']);
  expect(webhooks[0]).toMatchObject({ id: 'connection-1', error: null });
});
