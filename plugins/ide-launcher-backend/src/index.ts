export { ideLauncherPlugin as default } from './plugin';
export { workspaceRuntimeExtensionPoint } from './runtimes/WorkspaceRuntime';
export type { WorkspaceRuntimeExtensionPoint } from './runtimes/WorkspaceRuntime';
export type * from './runtimes/WorkspaceRuntime';
