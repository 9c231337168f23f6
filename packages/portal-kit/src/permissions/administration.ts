import { createPermission } from '@backstage/plugin-permission-common';

/**
 * Permissions reserved for admins. Everything else is open to all signed-in users: the platform is
 * meant to be used, and personal data (workspaces, settings) is protected by ownership, not by a
 * role.
 */
export const ADMIN_PERMISSIONS: ReadonlySet<string> = new Set([
  'catalog.entity.delete',
  'catalog.location.delete',
  'catalog.location.analyze.any',
]);

/** The segment that marks admin permissions of plugins, e.g. `feature-flags.admin.tokens`. */
const ADMIN_SEGMENT = '.admin.';

/** Returns whether the permission with this name is reserved for admins. */
export function isForAdmins(permission: string): boolean {
  return (
    ADMIN_PERMISSIONS.has(permission) || permission.includes(ADMIN_SEGMENT)
  );
}

/** Permission to read the audit log and the health of the platform's parts. */
export const administrationPermission = createPermission({
  name: 'portal.admin.read',
  attributes: { action: 'read' },
});
