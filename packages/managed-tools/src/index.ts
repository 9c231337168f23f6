export { chdb } from './chdb.ts';
export { codeServer } from './codeServer.ts';
export type {
  InstalledTool,
  InstallProgress,
  ManagedTool,
} from './ManagedTool.ts';
export { ToolInstaller } from './ToolInstaller.ts';
export { findToolsFolder } from './toolsFolder.ts';
