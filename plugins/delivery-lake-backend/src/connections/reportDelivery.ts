import {
  type Administration,
  configuredToken,
  incomingWebhook,
  isoOf,
  type Token,
  type Webhook,
} from '@slipway/entity-contract';
import { SENDER_TITLES, SENDERS } from '@slipway/platform-guards';
import { deliveryLakePermissions } from '@slipway/plugin-delivery-lake-common';
import { rolesOf } from '@slipway/portal-kit';
import type { DeliveryLakeConfig } from '../config';
import type {
  Connection,
  DatabaseConnectionStore,
} from '../storage/DatabaseConnectionStore';

/** Reports permissions, connections, and the senders in the configuration. */
export async function reportDelivery(parts: {
  adminGroups: readonly string[];
  config: Pick<DeliveryLakeConfig, 'webhooks'>;
  connections: Pick<DatabaseConnectionStore, 'list' | 'lastDeliveries'>;
}): Promise<Administration> {
  const connections = await parts.connections.list();
  const configured = SENDERS.filter(
    forge => parts.config.webhooks[forge].secrets.length > 0,
  );
  const last = await parts.connections.lastDeliveries(configured);
  const forges = configured.map(forge => {
    const at = last.get(forge);
    return {
      id: `forge-${forge}`,
      name: `Deliveries from ${SENDER_TITLES[forge]}`,
      kind: SENDER_TITLES[forge],
      // Null if there was none; undefined if deliveries were not recorded then.
      lastAt: typeof at === 'number' ? isoOf(at) : at,
    };
  });
  return {
    roles: rolesOf(deliveryLakePermissions, parts),
    tokens: [
      ...connections.filter(one => !one.needsSecret).map(tokenOf),
      ...forges.map(({ id, name, lastAt }) => ({
        ...configuredToken({ id, name, kind: 'webhook-secret' }),
        lastUsedAt: lastAt,
      })),
    ],
    webhooks: [
      ...connections.map(webhookOf),
      ...forges.map(forge => incomingWebhook(forge)),
    ],
  };
}

function tokenOf(connection: Connection): Token {
  const { forge, createdAt, createdBy, lastDelivery } = connection;
  return {
    ...common(connection),
    kind: 'webhook-secret',
    scopes: [SENDER_TITLES[forge]],
    createdAt: isoOf(createdAt),
    createdBy,
    lastUsedAt: lastDelivery && isoOf(lastDelivery.at),
    expiresAt: null,
  };
}

function webhookOf(connection: Connection): Webhook {
  const { forge, lastDelivery, lastRefusedAt, needsSecret } = connection;
  const isRefused =
    !needsSecret &&
    lastRefusedAt !== null &&
    lastRefusedAt > (lastDelivery?.at ?? 0);
  const lastAt = isRefused ? lastRefusedAt : lastDelivery?.at;
  return incomingWebhook({
    ...common(connection),
    kind: SENDER_TITLES[forge],
    lastAt: isoOf(lastAt),
    ...(isRefused && {
      error: 'The signature of the last delivery is not valid',
      failures: 1,
    }),
  });
}

function common({ id, repository }: Connection) {
  return {
    id,
    name: repository,
    configured: false,
    page: `/delivery/connections/${id}`,
    remove: `/connections/${id}`,
  };
}
