import { createPermission } from '@backstage/plugin-permission-common';

/** Permission to create workspaces of one's own. */
export const workspaceCreatePermission = createPermission({
  name: 'ide-launcher.workspace.create',
  attributes: { action: 'create' },
});

/** Permission to read one's own workspaces, their logs and endpoints. */
export const workspaceReadPermission = createPermission({
  name: 'ide-launcher.workspace.read',
  attributes: { action: 'read' },
});

/** Permission to start, stop, extend and open one's own workspaces. */
export const workspaceUpdatePermission = createPermission({
  name: 'ide-launcher.workspace.update',
  attributes: { action: 'update' },
});

/** Permission to delete one's own workspaces with their files. */
export const workspaceDeletePermission = createPermission({
  name: 'ide-launcher.workspace.delete',
  attributes: { action: 'delete' },
});

/** Permission of admins to accept, for all users, that workspaces run without isolation. */
export const isolationAcceptPermission = createPermission({
  name: 'ide-launcher.admin.isolation',
  attributes: { action: 'update' },
});

/** Permission of admins to import workspaces for their owners, and to delete imports. */
export const workspaceImportPermission = createPermission({
  name: 'ide-launcher.admin.import',
  attributes: { action: 'create' },
});

/** All permissions of the plugin. */
export const ideLauncherPermissions = [
  workspaceCreatePermission,
  workspaceReadPermission,
  workspaceUpdatePermission,
  workspaceDeletePermission,
  isolationAcceptPermission,
  workspaceImportPermission,
];
