import { rm } from 'node:fs/promises';
import path from 'node:path';
import { listProcesses } from '@slipway/processes';
import { foldersIn, type Isolation } from '../../isolation/Isolation.ts';
import type { Command, Report } from '../commands.ts';
import {
  type BuildMark,
  killProcesses,
  markEnvironment,
  readMark,
} from './processTable.ts';
import { readReports } from './readReports.ts';
import { runProcess } from './runProcess.ts';

interface LocalExecutorOptions {
  /** Absolute; work directories are in it. */
  directory: string;
  isolation: Isolation;
  /** PATH of builds. */
  path: string;
  /** From SIGTERM to SIGKILL. */
  killAfterMs: number;
}

/** The directory and the processes of one build. */
export class LocalPlace {
  readonly #options: LocalExecutorOptions & {
    mark: BuildMark;
    environment: Readonly<Record<string, string>>;
  };
  readonly #sessions = new Set<number>();

  constructor(
    options: LocalExecutorOptions & {
      mark: BuildMark;
      environment: Readonly<Record<string, string>>;
    },
  ) {
    this.#options = options;
  }

  get #build() {
    const { mark, directory } = this.#options;
    return { buildId: mark.buildId, directory };
  }

  prepare(): Promise<void> {
    return this.#options.isolation.prepare(this.#build);
  }

  /**
   * Runs a program to its end.
   *
   * @returns null for exit code 0, else why it failed, as the end of a sentence.
   * @throws Interruption when the signal aborts.
   */
  run({ argv, environment, signal, output }: Command): Promise<string | null> {
    const { mark, isolation, killAfterMs } = this.#options;
    const { work, home, tmp } = isolation.folders(this.#build);
    return runProcess({
      argv: isolation.command(this.#build, argv),
      cwd: foldersIn(this.#options.directory).work,
      environment: {
        ...this.#options.environment,
        ...environment,
        PATH: this.#options.path,
        HOME: home,
        TMPDIR: tmp,
        LANG: 'C.UTF-8',
        WORKSPACE: work,
        ...markEnvironment(mark),
      },
      signal,
      output,
      killAfterMs,
      onStart: pid => this.#sessions.add(pid),
    });
  }

  /**
   * Reads files that match globs, in the work directory and nowhere else.
   *
   * @throws ReportError for a file that is too large to be one.
   */
  read(globs: readonly string[]): Promise<Report[]> {
    return readReports(foldersIn(this.#options.directory).work, globs);
  }

  /** Ends every process of the build and removes the work directory. */
  async close(): Promise<void> {
    const { mark, directory } = this.#options;
    await killProcesses({
      isDoomed: ({ worker, buildId }) =>
        worker === mark.worker && buildId === mark.buildId,
      sessions: this.#sessions,
    });
    await rm(directory, {
      recursive: true,
      force: true,
      maxRetries: 5,
      retryDelay: 50,
    });
  }
}

/** Runs builds as processes of this machine, apart from the server where {@link Isolation} holds. */
export class LocalExecutor {
  readonly #options: LocalExecutorOptions;

  constructor(options: LocalExecutorOptions) {
    this.#options = options;
  }

  /**
   * Makes the place in which one build runs.
   *
   * @param build.worker - the process that the build belongs to.
   */
  async open(build: {
    id: number;
    worker: string;
    environment: Readonly<Record<string, string>>;
  }): Promise<LocalPlace> {
    const directory = path.join(this.#options.directory, String(build.id));
    await rm(directory, { recursive: true, force: true });
    const place = new LocalPlace({
      ...this.#options,
      directory,
      mark: { worker: build.worker, buildId: build.id },
      environment: build.environment,
    });
    await place.prepare();
    return place;
  }

  /** Ends what builds of processes left that are no more, as far as this machine knows. */
  async sweep(isGone: (worker: string) => Promise<boolean>): Promise<void> {
    const gone = new Set<string>();
    for (const { environment } of await listProcesses()) {
      const mark = readMark(environment);
      if (mark && !gone.has(mark.worker) && (await isGone(mark.worker))) {
        gone.add(mark.worker);
      }
    }
    if (gone.size > 0) {
      await killProcesses({ isDoomed: ({ worker }) => gone.has(worker) });
    }
  }
}
