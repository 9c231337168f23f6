import { WorkspaceEditor } from '@slipway/plugin-ide-launcher-common';
import { EditorCommand } from './LocalRuntimeOptions';
import { WorkspacePaths } from './WorkspacePaths';

/** An editor that can be started. */
export interface LaunchableEditor {
  editor: WorkspaceEditor;
  /** Path that answers 200 when the editor is ready. */
  healthPath: string;
  /** Program and arguments that serve `folder` on the workspace's socket. */
  command(paths: WorkspacePaths, folder: string): string[];
}

/** code-server, given how it is started: a program on PATH, or Node.js with its start file. */
export function codeServerEditor(
  start: string[],
  version: string | null,
): LaunchableEditor {
  return {
    editor: { id: 'code-server', title: 'VS Code (code-server)', version },
    healthPath: '/healthz',
    command: (paths, folder) => [...start, ...codeServerFlags(paths), folder],
  };
}

/** openvscode-server from PATH. It has no health route; its version route answers when it is ready. */
export function openVsCodeEditor(program: string): LaunchableEditor {
  return {
    editor: {
      id: 'openvscode-server',
      title: 'OpenVSCode Server',
      version: null,
    },
    healthPath: '/version',
    command: (paths, folder) => [
      program,
      '--socket-path',
      paths.socket,
      '--without-connection-token',
      '--accept-server-license-terms',
      '--telemetry-level',
      'off',
      '--server-data-dir',
      paths.userData,
      '--user-data-dir',
      paths.userData,
      '--extensions-dir',
      paths.extensions,
      '--default-folder',
      folder,
    ],
  };
}

/** The command an operator configured, with its placeholders filled. */
export function configuredEditor(configured: EditorCommand): LaunchableEditor {
  return {
    editor: { id: 'configured', title: configured.title, version: null },
    healthPath: configured.healthPath,
    command: (paths, folder) => {
      const values: Record<string, string> = {
        socket: paths.socket,
        folder,
        userData: paths.userData,
        extensions: paths.extensions,
        home: paths.home,
      };
      const filled = configured.command.map(part =>
        part.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all),
      );
      return configured.command.some(part => part.includes('{socket}'))
        ? filled
        : [...filled, ...codeServerFlags(paths), folder];
    },
  };
}

/**
 * No TCP port and no port proxy: with `--auth none` either would let one
 * workspace into another. Who may reach the socket is the gateway's business.
 */
function codeServerFlags(paths: WorkspacePaths): string[] {
  return [
    '--socket',
    paths.socket,
    '--socket-mode',
    '600',
    '--auth',
    'none',
    '--disable-proxy',
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-workspace-trust',
    '--user-data-dir',
    paths.userData,
    '--extensions-dir',
    paths.extensions,
  ];
}
