export { ideLauncherPlugin as default } from './plugin';
export { workspaceRuntimeExtensionPoint } from './runtimes/runtimeExtensionPoint';
export type { WorkspaceRuntimeExtensionPoint } from './runtimes/runtimeExtensionPoint';
export type * from './runtimes/WorkspaceRuntime';
