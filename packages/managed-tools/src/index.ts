export { codeServer } from './codeServer';
export type {
  InstalledTool,
  InstallProgress,
  ManagedTool,
} from './ManagedTool';
export { ToolInstaller } from './ToolInstaller';
export { findToolsFolder } from './toolsFolder';
