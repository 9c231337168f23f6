import { createExtensionPoint } from '@backstage/backend-plugin-api';
import { WorkspaceRuntime } from './WorkspaceRuntime';

/** Lets a module run workspaces elsewhere than on this machine. */
export interface WorkspaceRuntimeExtensionPoint {
  /** @throws Error when a runtime has been set already. */
  setRuntime(runtime: WorkspaceRuntime): void;
}

/** Extension point of the plugin `ide-launcher`. Without a module the local runtime is used. */
export const workspaceRuntimeExtensionPoint =
  createExtensionPoint<WorkspaceRuntimeExtensionPoint>({
    id: 'ide-launcher.workspace-runtime',
  });
