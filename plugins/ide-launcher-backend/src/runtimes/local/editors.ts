import { ServiceUnavailableError } from '@backstage/errors';
import { InstallProgress, ToolInstaller } from '@slipway/managed-tools';
import {
  EditorAvailability,
  WorkspaceEditor,
} from '@slipway/plugin-ide-launcher-common';
import { findProgram } from '@slipway/processes';
import { raceAbort } from '../../queues';
import { WorkspacePaths } from './files/WorkspacePaths';
import { EditorCommand, LocalRuntimeOptions } from './options';

/** Receives the progress of the editor's installation. */
type InstallListener = (progress: InstallProgress) => void;

type ProviderOptions = Pick<
  LocalRuntimeOptions,
  'editorCommand' | 'managedTool' | 'toolsFolder' | 'path' | 'logger'
>;

/**
 * Finds the editor: the configured command, code-server on PATH, the managed code-server,
 * openvscode-server on PATH, in this order. Installs the managed one if none is found.
 */
export class EditorProvider {
  readonly #options: ProviderOptions;
  #found: LaunchableEditor | undefined;
  #installation: Promise<LaunchableEditor> | undefined;
  #progress: InstallProgress | undefined;
  #failure: string | undefined;
  readonly #listeners = new Set<InstallListener>();
  readonly #abort = new AbortController();

  constructor(options: ProviderOptions) {
    this.#options = options;
    this.#discover();
  }

  /** Looks for an editor on this machine, without downloading one. */
  #discover(): LaunchableEditor | undefined {
    const { editorCommand, managedTool, path } = this.#options;
    if (editorCommand) {
      this.#found = configuredEditor(editorCommand);
      return this.#found;
    }
    const codeServer = findProgram('code-server', path, []);
    const managed = managedTool && this.#installer().find(managedTool);
    const openVsCode = findProgram('openvscode-server', path, []);
    if (codeServer) {
      this.#found = codeServerEditor([codeServer], null);
    } else if (managed) {
      this.#found = codeServerEditor(
        [process.execPath, managed.entryPoint],
        managed.version,
      );
    } else {
      this.#found = openVsCode ? openVsCodeEditor(openVsCode) : undefined;
    }
    return this.#found;
  }

  /** Returns the result of the last search. */
  availability(): EditorAvailability {
    if (this.#found) {
      return {
        state: 'ready',
        editor: this.#found.editor,
        progress: null,
        message: null,
      };
    }
    if (this.#installation) {
      return {
        state: 'installing',
        editor: null,
        progress: this.#progress?.fraction ?? 0,
        message: this.#progress?.message ?? null,
      };
    }
    return {
      state: 'missing',
      editor: null,
      progress: null,
      message: this.#failure ?? this.#missingMessage(),
    };
  }

  /**
   * Returns an editor to start; installs one first if there is none. Callers share one
   * installation, which continues if one of them stops waiting.
   *
   * @throws ServiceUnavailableError if there is none and none can be installed.
   */
  async require(
    signal: AbortSignal,
    listener: InstallListener,
  ): Promise<LaunchableEditor> {
    const found = this.#found ?? this.#discover();
    if (found) {
      return found;
    }
    this.#listeners.add(listener);
    if (this.#progress) {
      listener(this.#progress);
    }
    try {
      return await raceAbort(this.#install(), signal);
    } finally {
      this.#listeners.delete(listener);
    }
  }

  /** Cancels a running installation; the next one resumes it. */
  shutdown(): void {
    this.#abort.abort();
  }

  #install(): Promise<LaunchableEditor> {
    this.#installation ??= this.#runInstallation().finally(() => {
      this.#installation = undefined;
      this.#progress = undefined;
    });
    return this.#installation;
  }

  async #runInstallation(): Promise<LaunchableEditor> {
    const { managedTool, logger } = this.#options;
    if (!managedTool) {
      throw new ServiceUnavailableError(this.#missingMessage());
    }
    this.#failure = undefined;
    logger.info(`Installing ${managedTool.title} ${managedTool.version}`);
    try {
      const installed = await this.#installer().install(managedTool, {
        signal: this.#abort.signal,
        onProgress: progress => {
          this.#progress = progress;
          this.#listeners.forEach(listener => listener(progress));
        },
      });
      logger.info(`Installed ${managedTool.title} ${managedTool.version}`);
      this.#found = codeServerEditor(
        [process.execPath, installed.entryPoint],
        installed.version,
      );
      return this.#found;
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error);
      logger.warn(`No editor could be installed: ${this.#failure}`);
      throw new ServiceUnavailableError(this.#failure, error);
    }
  }

  #missingMessage(): string {
    return this.#options.managedTool
      ? 'No editor is installed. The first workspace installs one, or run yarn ide:install'
      : 'No editor is installed. Run yarn ide:install or set ideLauncher.local.editor.command';
  }

  #installer(): ToolInstaller {
    return new ToolInstaller({ toolsFolder: this.#options.toolsFolder });
  }
}

/** An editor that can be started. */
export interface LaunchableEditor {
  editor: WorkspaceEditor;
  /** Path that responds with 200 when the editor is ready. */
  healthPath: string;
  /** Returns the program and arguments that serve `folder` on the workspace's socket. */
  command(paths: WorkspacePaths, folder: string): string[];
}

/** Describes code-server, started as a program on PATH or as Node.js with its entry file. */
function codeServerEditor(
  start: string[],
  version: string | null,
): LaunchableEditor {
  return {
    editor: { id: 'code-server', title: 'VS Code (code-server)', version },
    healthPath: '/healthz',
    command: (paths, folder) => [...start, ...codeServerFlags(paths), folder],
  };
}

/**
 * Describes openvscode-server from PATH. It has no health route; its version route responds when
 * it is ready.
 */
function openVsCodeEditor(program: string): LaunchableEditor {
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

/** Describes the editor command configured by an operator; its placeholders are replaced at each start. */
function configuredEditor(configured: EditorCommand): LaunchableEditor {
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
 * Returns flags without a TCP port or port proxy: with `--auth none`, either would let one
 * workspace access another. The gateway controls access to the socket.
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
