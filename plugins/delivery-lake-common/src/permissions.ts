import { createPermission } from '@backstage/plugin-permission-common';

/** Read metrics, deployments and incidents. */
export const deliveryReadPermission = createPermission({
  name: 'delivery-lake.delivery.read',
  attributes: { action: 'read' },
});

/** Send deployments, changes and incidents; only for service tokens. */
export const deliveryIngestPermission = createPermission({
  name: 'delivery-lake.event.ingest',
  attributes: { action: 'create' },
});

/** Replay raw events and rebuild derived data; service tokens and admins. */
export const deliveryRebuildPermission = createPermission({
  name: 'delivery-lake.admin.rebuild',
  attributes: { action: 'update' },
});

/** Delete the data of a namespace's services, and the names of people; service tokens and admins. */
export const deliveryDeletePermission = createPermission({
  name: 'delivery-lake.admin.delete',
  attributes: { action: 'delete' },
});

/**
 * Read who made a change and when, for all services; owners of a service may do so for their
 * own. Admins and service tokens.
 */
export const deliveryAuthorsPermission = createPermission({
  name: 'delivery-lake.admin.authors',
  attributes: { action: 'read' },
});

/**
 * Resolve and reopen incidents of all services; owners of a service may do so for their own.
 * Admins and service tokens.
 */
export const deliveryIncidentsPermission = createPermission({
  name: 'delivery-lake.admin.incidents',
  attributes: { action: 'update' },
});

/** Connect repositories and trackers with webhooks that have their own secrets; admins. */
export const deliveryConnectPermission = createPermission({
  name: 'delivery-lake.admin.connect',
  attributes: { action: 'create' },
});

/** All permissions of the plugin. */
export const deliveryLakePermissions = [
  deliveryReadPermission,
  deliveryAuthorsPermission,
  deliveryIngestPermission,
  deliveryRebuildPermission,
  deliveryDeletePermission,
  deliveryIncidentsPermission,
  deliveryConnectPermission,
];
