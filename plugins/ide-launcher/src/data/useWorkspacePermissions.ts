import { usePermission } from '@backstage/plugin-permission-react';
import {
  isolationAcceptPermission,
  workspaceCreatePermission,
  workspaceDeletePermission,
  workspaceUpdatePermission,
} from '@slipway/plugin-ide-launcher-common';

/** What the signed-in user may do with workspaces; nothing while that is being asked. */
export function useWorkspacePermissions() {
  const create = usePermission({ permission: workspaceCreatePermission });
  const update = usePermission({ permission: workspaceUpdatePermission });
  const remove = usePermission({ permission: workspaceDeletePermission });
  const accept = usePermission({ permission: isolationAcceptPermission });
  return {
    isPending: create.loading || update.loading || remove.loading,
    mayCreate: create.allowed,
    mayUpdate: update.allowed,
    mayDelete: remove.allowed,
    mayAcceptUnisolated: accept.allowed,
  };
}
