import { usePermission } from '@backstage/plugin-permission-react';
import { createPermission } from '@backstage/plugin-permission-common';

/** The permission to read the audit log and the health of the parts, as the back end declares it. */
export const administrationPermission = createPermission({
  name: 'portal.admin.read',
  attributes: { action: 'read' },
});

/** Returns whether the user is an administrator of the platform; false until that is known. */
export function useIsAdmin(): boolean {
  const { allowed } = usePermission({ permission: administrationPermission });
  return allowed;
}
