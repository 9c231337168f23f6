export { ideLauncherPlugin as default } from './plugin';
export {
  StartFailedError,
  workspaceRuntimeExtensionPoint,
} from './runtimes/WorkspaceRuntime';
export type * from './runtimes/WorkspaceRuntime';
