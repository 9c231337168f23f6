import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkRequirements, verifyVersion } from './toolChecks.ts';
import { InstallLock } from './InstallLock.ts';
import type {
  InstalledTool,
  InstallProgress,
  InstallStep,
  ManagedTool,
} from './ManagedTool.ts';
import { readInstalled, writeManifest } from './manifest.ts';
import { runNpm } from './runNpm.ts';

/** Directory of the marker files for completed steps. */
const MARKERS = '.steps';

/** Options of {@link ToolInstaller}. */
export interface ToolInstallerOptions {
  /** The managed directory, see `findToolsFolder`. */
  toolsFolder: string;
  /** The npm command; defaults to `npm` from PATH. */
  npmCommand?: string;
}

/** Callbacks and cancellation of one installation. */
export interface InstallOptions {
  signal?: AbortSignal;
  onProgress?(progress: InstallProgress): void;
}

/**
 * Installs tools in the managed directory, each in `<name>/<version>`. An interrupted installation
 * resumes where it stopped; concurrent callers share one installation.
 */
export class ToolInstaller {
  readonly #toolsFolder: string;
  readonly #npmCommand: string;

  constructor(options: ToolInstallerOptions) {
    this.#toolsFolder = options.toolsFolder;
    this.#npmCommand = options.npmCommand ?? 'npm';
  }

  /** Returns the tool at its pinned version, if it is installed. */
  find(tool: ManagedTool): InstalledTool | undefined {
    return readInstalled(this.#folderOf(tool), tool);
  }

  /**
   * Installs the tool unless it is already installed.
   *
   * @throws ToolInstallError with one line for people.
   */
  async install(
    tool: ManagedTool,
    options: InstallOptions = {},
  ): Promise<InstalledTool> {
    const present = this.find(tool);
    if (present) {
      return present;
    }
    const { signal = new AbortController().signal, onProgress = () => {} } =
      options;
    await checkRequirements(tool, this.#toolsFolder);

    const partial = this.#partialFolderOf(tool);
    const lock = await InstallLock.acquire({
      file: path.join(this.#toolsFolder, tool.name, '.lock'),
      workFolder: partial,
      signal,
      onWait: () =>
        onProgress({
          fraction: 0,
          message: `Waiting for another process that installs ${tool.title}`,
        }),
    });
    try {
      const finished = this.find(tool);
      if (finished) {
        return finished;
      }
      await this.#runSteps(tool, { lock, signal, onProgress });
      await verifyVersion(tool, partial, signal);
      await writeManifest(partial, tool);
      const folder = this.#folderOf(tool);
      await rm(path.join(partial, MARKERS), { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
      await rename(partial, folder);
      onProgress({ fraction: 1, message: `${tool.title} ${tool.version}` });
      return {
        name: tool.name,
        version: tool.version,
        folder,
        entryPoint: path.join(folder, tool.entryPoint),
      };
    } finally {
      await lock.release();
    }
  }

  async #runSteps(
    tool: ManagedTool,
    run: {
      lock: InstallLock;
      signal: AbortSignal;
      onProgress(progress: InstallProgress): void;
    },
  ) {
    const folder = this.#partialFolderOf(tool);
    const markers = path.join(folder, MARKERS);
    await mkdir(markers, { recursive: true });
    const total = tool.steps.reduce((sum, step) => sum + step.weight, 0);
    let done = 0;
    for (const step of tool.steps) {
      const marker = path.join(markers, step.id);
      const before = done;
      const report = (fraction: number) =>
        run.onProgress({
          fraction: (before + step.weight * fraction) / total,
          message: step.title,
        });
      if (!existsSync(marker)) {
        report(0);
        await this.#runStep(step, { ...run, folder, progress: report });
        await writeFile(marker, '');
      }
      done += step.weight;
    }
  }

  async #runStep(
    step: InstallStep,
    run: {
      lock: InstallLock;
      signal: AbortSignal;
      folder: string;
      progress(fraction: number): void;
    },
  ) {
    await step.run({
      folder: run.folder,
      signal: run.signal,
      progress: run.progress,
      npm: (args, npmOptions) =>
        runNpm({
          ...npmOptions,
          title: step.title,
          npmCommand: this.#npmCommand,
          args,
          signal: run.signal,
          progress: run.progress,
          onStart: pid => {
            // Best effort: if it fails, a killed portal's npm process would not be found and killed.
            run.lock.setGroup(pid).catch(() => undefined);
          },
        }),
    });
    await run.lock.setGroup(null);
  }

  #folderOf(tool: ManagedTool): string {
    return path.join(this.#toolsFolder, tool.name, tool.version);
  }

  #partialFolderOf(tool: ManagedTool): string {
    return path.join(this.#toolsFolder, tool.name, `.${tool.version}.partial`);
  }
}
