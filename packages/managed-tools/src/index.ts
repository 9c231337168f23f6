export { codeServer } from './codeServer';
export type {
  InstalledTool,
  InstallProgress,
  InstallStep,
  ManagedTool,
  NpmOptions,
  StepContext,
} from './ManagedTool';
export {
  downloadStep,
  lockedInstallStep,
  unpackStep,
  type PinnedPackage,
} from './npmSteps';
export { ToolInstaller } from './ToolInstaller';
export type { InstallOptions, ToolInstallerOptions } from './ToolInstaller';
export { ToolInstallError, type ToolInstallFailure } from './ToolInstallError';
export { findToolsFolder, type ToolsFolderOptions } from './toolsFolder';
