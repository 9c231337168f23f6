/** What a step of an installation is given. */
interface StepContext {
  /** Folder being filled; renamed to its final place when every step is done. */
  folder: string;
  signal: AbortSignal;
  /** Tells how far this step is, 0 to 1. */
  progress(fraction: number): void;
  /**
   * Runs npm in `cwd` without package scripts. Resolves with its standard
   * output.
   *
   * @throws ToolInstallError naming the cause.
   */
  npm(args: string[], options: NpmOptions): Promise<string>;
}

/** How npm is run by {@link StepContext.npm}. */
export interface NpmOptions {
  cwd: string;
  /** How many fetches npm is expected to make; drives the progress of the step. */
  expectedFetches?: number;
}

/** One resumable part of an installation. Runs again from its start when interrupted. */
export interface InstallStep {
  /** Unique within the tool; names the marker file that says the step is done. */
  id: string;
  /** Shown while it runs, e.g. "Downloading code-server". */
  title: string;
  /** Share of the whole installation, in any unit. */
  weight: number;
  run(context: StepContext): Promise<void>;
}

/** A program that is brought into the managed folder at an exact version. */
export interface ManagedTool {
  /** Folder name below the managed folder. */
  readonly name: string;
  /** Name for people. */
  readonly title: string;
  readonly version: string;
  /** Supported platforms, written `<process.platform>-<process.arch>`. */
  readonly platforms: readonly string[];
  /** Major version of Node.js the tool is bound to; null when any will do. */
  readonly nodeMajor: number | null;
  /** Free space an installation needs, in bytes. */
  readonly requiredBytes: number;
  /** The program's start file, relative to the installed folder. */
  readonly entryPoint: string;
  readonly steps: readonly InstallStep[];
  /** Arguments that make the program print its version, which must contain {@link version}. */
  readonly versionArguments: readonly string[];
}

/** A tool that is in place. */
export interface InstalledTool {
  name: string;
  version: string;
  folder: string;
  /** Absolute path of the start file, run with Node.js. */
  entryPoint: string;
}

/** How far an installation is. */
export interface InstallProgress {
  /** 0 to 1 over the whole installation. */
  fraction: number;
  message: string;
}
