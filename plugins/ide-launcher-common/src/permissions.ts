import { createPermission } from '@backstage/plugin-permission-common';

/** Create own workspaces. */
export const workspaceCreatePermission = createPermission({
  name: 'ide-launcher.workspace.create',
  attributes: { action: 'create' },
});

/** Read own workspaces, their logs and endpoints. */
export const workspaceReadPermission = createPermission({
  name: 'ide-launcher.workspace.read',
  attributes: { action: 'read' },
});

/** Start, stop, extend and open own workspaces. */
export const workspaceUpdatePermission = createPermission({
  name: 'ide-launcher.workspace.update',
  attributes: { action: 'update' },
});

/** Delete own workspaces with their files. */
export const workspaceDeletePermission = createPermission({
  name: 'ide-launcher.workspace.delete',
  attributes: { action: 'delete' },
});

/** Accept, for all users, that workspaces run without isolation. For admins. */
export const isolationAcceptPermission = createPermission({
  name: 'ide-launcher.admin.isolation',
  attributes: { action: 'update' },
});

/** Import workspaces for their owners, and delete imports. For admins. */
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
