import { createPermission } from '@backstage/plugin-permission-common';

/** Read metrics, deployments and incidents. */
export const deliveryReadPermission = createPermission({
  name: 'delivery-lake.delivery.read',
  attributes: { action: 'read' },
});

/** Send deployments, changes and incidents; for service tokens alone. */
export const deliveryIngestPermission = createPermission({
  name: 'delivery-lake.event.ingest',
  attributes: { action: 'create' },
});

/** Replay raw events and rebuild what is derived from them; service tokens and administrators. */
export const deliveryRebuildPermission = createPermission({
  name: 'delivery-lake.admin.rebuild',
  attributes: { action: 'update' },
});

/**
 * Read who made a change and when, of every service; whoever owns a service may for its
 * own. Administrators and service tokens.
 */
export const deliveryAuthorsPermission = createPermission({
  name: 'delivery-lake.admin.authors',
  attributes: { action: 'read' },
});

/** Every permission of the plugin. */
export const deliveryLakePermissions = [
  deliveryReadPermission,
  deliveryAuthorsPermission,
  deliveryIngestPermission,
  deliveryRebuildPermission,
];
