import { usePermission } from '@backstage/plugin-permission-react';
import { createPermission } from '@backstage/plugin-permission-common';

/** The permission to read the audit log and the health of the parts, as the backend declares it. */
export const administrationPermission = createPermission({
  name: 'portal.admin.read',
  attributes: { action: 'read' },
});

/** Returns whether the user is an admin of the platform; false until that is known. */
export function useIsAdmin(): boolean {
  const { allowed } = usePermission({ permission: administrationPermission });
  return allowed;
}
