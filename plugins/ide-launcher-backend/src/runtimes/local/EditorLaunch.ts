import { WorkspaceIsolation } from '@slipway/plugin-ide-launcher-common';
import { LaunchableEditor } from './editors';
import { Sandbox } from './isolation/Sandbox';
import { LeaseOptions, LocalRuntimeLimits } from './LocalRuntimeOptions';
import { WorkspacePaths } from './WorkspacePaths';

/** An editor to start. */
export interface EditorLaunch {
  editor: LaunchableEditor;
  paths: WorkspacePaths;
  /** Folder the editor opens. */
  folder: string;
  env: Record<string, string>;
  mark: string;
  /** null: a plain process. */
  sandbox: Sandbox | null;
  workspaceId: string;
  /** The agent's program; the first one in a sandbox. */
  agentFile: string;
  isolation: WorkspaceIsolation;
  /** Files that the environment names. */
  readable: string[];
  leaseFile: string;
  lease: LeaseOptions;
  limits: Pick<LocalRuntimeLimits, 'startTimeoutMs' | 'stopTimeoutMs'>;
  signal: AbortSignal;
  onLine(line: string): void;
}

/** The command of the editor as it is, or in the workspace's sandbox with the agent before it. */
export function launchCommand(launch: EditorLaunch): string[] {
  const { agentFile, editor, folder, paths, sandbox, workspaceId } = launch;
  const command = editor.command(paths, folder);
  return sandbox
    ? sandbox.command({
        workspaceId,
        paths,
        command: [process.execPath, agentFile, paths.agentSocket, ...command],
        cwd: folder,
        network: sandbox.network,
        readable: [
          ...launch.readable,
          ...command.filter(part => !isInWorkspace(part, paths)),
        ],
      })
    : command;
}

function isInWorkspace(place: string, paths: WorkspacePaths): boolean {
  return [paths.root, paths.run].some(folder => place.startsWith(folder));
}
