import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { ServiceUnavailableError } from '@backstage/errors';
import { EditorAvailability } from '@slipway/plugin-ide-launcher-common';
import { InstallProgress, ToolInstaller } from '@slipway/managed-tools';
import {
  codeServerEditor,
  configuredEditor,
  LaunchableEditor,
  openVsCodeEditor,
} from './editors';
import { LocalRuntimeOptions } from './LocalRuntimeOptions';

/** Told how far the installation of the editor is. */
export type InstallListener = (progress: InstallProgress) => void;

type ProviderOptions = Pick<
  LocalRuntimeOptions,
  'editorCommand' | 'managedTool' | 'toolsFolder' | 'path' | 'logger'
>;

/**
 * Finds the editor: the configured command, code-server on PATH, the managed
 * code-server, openvscode-server on PATH, in this order. Brings the managed one
 * when none is there.
 */
export class EditorProvider {
  private found: LaunchableEditor | undefined;
  private installation: Promise<LaunchableEditor> | undefined;
  private progress: InstallProgress | undefined;
  private failure: string | undefined;
  private readonly listeners = new Set<InstallListener>();
  private readonly abort = new AbortController();

  constructor(private readonly options: ProviderOptions) {
    this.discover();
  }

  /** Looks for an editor on this machine; nothing is downloaded. */
  private discover(): LaunchableEditor | undefined {
    const { editorCommand, managedTool } = this.options;
    if (editorCommand) {
      this.found = configuredEditor(editorCommand);
      return this.found;
    }
    const codeServer = this.onPath('code-server');
    const managed = managedTool && this.installer().find(managedTool);
    const openVsCode = this.onPath('openvscode-server');
    if (codeServer) {
      this.found = codeServerEditor([codeServer], null);
    } else if (managed) {
      this.found = codeServerEditor(
        [process.execPath, managed.entryPoint],
        managed.version,
      );
    } else {
      this.found = openVsCode ? openVsCodeEditor(openVsCode) : undefined;
    }
    return this.found;
  }

  /** The state as of the last look. */
  availability(): EditorAvailability {
    if (this.found) {
      return {
        state: 'ready',
        editor: this.found.editor,
        progress: null,
        message: null,
      };
    }
    if (this.installation) {
      return {
        state: 'installing',
        editor: null,
        progress: this.progress?.fraction ?? 0,
        message: this.progress?.message ?? null,
      };
    }
    return {
      state: 'missing',
      editor: null,
      progress: null,
      message: this.failure ?? this.missingMessage(),
    };
  }

  /**
   * An editor to start, brought first when there is none. Callers share one
   * installation, which goes on when one of them stops waiting.
   *
   * @throws ServiceUnavailableError when there is none and none can be brought.
   */
  async require(
    signal: AbortSignal,
    listener: InstallListener,
  ): Promise<LaunchableEditor> {
    const found = this.found ?? this.discover();
    if (found) {
      return found;
    }
    this.listeners.add(listener);
    if (this.progress) {
      listener(this.progress);
    }
    try {
      return await raceAbort(this.install(), signal);
    } finally {
      this.listeners.delete(listener);
    }
  }

  /** Cancels a running installation; the next one goes on where it stopped. */
  shutdown(): void {
    this.abort.abort();
  }

  private install(): Promise<LaunchableEditor> {
    this.installation ??= this.runInstallation().finally(() => {
      this.installation = undefined;
      this.progress = undefined;
    });
    return this.installation;
  }

  private async runInstallation(): Promise<LaunchableEditor> {
    const { managedTool, logger } = this.options;
    if (!managedTool) {
      throw new ServiceUnavailableError(this.missingMessage());
    }
    this.failure = undefined;
    logger.info(`Installing ${managedTool.title} ${managedTool.version}`);
    try {
      const installed = await this.installer().install(managedTool, {
        signal: this.abort.signal,
        onProgress: progress => {
          this.progress = progress;
          this.listeners.forEach(tell => tell(progress));
        },
      });
      logger.info(`Installed ${managedTool.title} ${managedTool.version}`);
      this.found = codeServerEditor(
        [process.execPath, installed.entryPoint],
        installed.version,
      );
      return this.found;
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
      logger.warn(`No editor could be installed: ${this.failure}`);
      throw new ServiceUnavailableError(this.failure, error);
    }
  }

  private missingMessage(): string {
    return this.options.managedTool
      ? 'No editor is installed. The first workspace brings one, or run yarn ide:install'
      : 'No editor is installed. Run yarn ide:install or set ideLauncher.local.editor.command';
  }

  private installer(): ToolInstaller {
    return new ToolInstaller({ toolsFolder: this.options.toolsFolder });
  }

  private onPath(program: string): string | undefined {
    return this.options.path
      .split(path.delimiter)
      .filter(folder => path.isAbsolute(folder))
      .map(folder => path.join(folder, program))
      .find(isExecutable);
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(signal.reason);
    if (signal.aborted) {
      cancel();
    }
    signal.addEventListener('abort', cancel, { once: true });
    work
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', cancel));
  });
}
