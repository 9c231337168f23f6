/** The functions and folder that an installation step works with. */
interface StepContext {
  /** Directory that the steps fill; renamed to its final place after the last one. */
  folder: string;
  signal: AbortSignal;
  /** Reports the progress of this step, 0 to 1. */
  progress(fraction: number): void;
  /**
   * Runs npm in `cwd` without package scripts. Resolves to its standard output.
   *
   * @throws ToolInstallError naming the cause.
   */
  npm(args: string[], options: NpmOptions): Promise<string>;
}

/** Options of {@link StepContext.npm}. */
export interface NpmOptions {
  cwd: string;
  /** Expected number of fetches by npm, on which the progress of the step is based. */
  expectedFetches?: number;
}

/** One resumable part of an installation. Starts over if it was interrupted. */
export interface InstallStep {
  /** Unique within the tool; names the marker file of the completed step. */
  id: string;
  /** Shown while it is running, e.g. "Downloading code-server". */
  title: string;
  /** Share of the whole installation's duration, relative to the other steps' weights. */
  weight: number;
  run(context: StepContext): Promise<void>;
}

/** A program that is installed in the managed directory at an exact version. */
export interface ManagedTool {
  /** Name of its directory in the managed directory. */
  readonly name: string;
  /** Display name. */
  readonly title: string;
  readonly version: string;
  /** Supported platforms, written `<process.platform>-<process.arch>`. */
  readonly platforms: readonly string[];
  /** Major version of Node.js that the tool requires; null for any. */
  readonly nodeMajor: number | null;
  /** Free disk space that an installation needs, in bytes. */
  readonly requiredBytes: number;
  /** The program's start file, relative to the installation directory. */
  readonly entryPoint: string;
  readonly steps: readonly InstallStep[];
  /** Arguments that make the program print its version, which must contain {@link version}. */
  readonly versionArguments: readonly string[];
}

/** An installed tool. */
export interface InstalledTool {
  name: string;
  version: string;
  folder: string;
  /** Absolute path of the start file, run with Node.js. */
  entryPoint: string;
}

/** The progress of an installation. */
export interface InstallProgress {
  /** 0 to 1 for the whole installation. */
  fraction: number;
  message: string;
}
