import { rm } from 'node:fs/promises';
import path from 'node:path';
import { foldersIn, type Isolation } from '../../isolation/Isolation.ts';
import type { Command, ExecutionPlace, Executor, Report } from '../Executor.ts';
import {
  type BuildMark,
  killProcesses,
  listProcesses,
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
class LocalPlace implements ExecutionPlace {
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

  read(globs: readonly string[]): Promise<Report[]> {
    return readReports(foldersIn(this.#options.directory).work, globs);
  }

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
export class LocalExecutor implements Executor {
  readonly #options: LocalExecutorOptions;

  constructor(options: LocalExecutorOptions) {
    this.#options = options;
  }

  async open(build: {
    id: number;
    worker: string;
    environment: Readonly<Record<string, string>>;
  }): Promise<ExecutionPlace> {
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
