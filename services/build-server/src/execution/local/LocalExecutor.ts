import { glob, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { listProcesses } from '@slipway/processes';
import { foldersIn, type Isolation } from '../../isolation/Isolation.ts';
import { type Command, type Report, ReportError } from '../commands.ts';
import {
  type BuildMark,
  killProcesses,
  markEnvironment,
  readMark,
} from './processTable.ts';
import { runProcess } from './runProcess.ts';

const MAX_FILES = 1_000;
/** Bytes of one report. */
const MAX_BYTES = 20 * 1024 * 1024;
/** Bytes of all reports of a build, which are in memory at once. */
const MAX_TOTAL_BYTES = 100 * 1024 * 1024;

/**
 * Reads the files of a directory that match globs. Links that lead out of it are not
 * followed: a build must not read what only the server may.
 *
 * @throws ReportError when there are too many, or they are too large.
 */
async function readReports(
  directory: string,
  globs: readonly string[],
): Promise<Report[]> {
  const root = await realpath(directory);
  const reports = new Map<string, Report>();
  let total = 0;
  for await (const match of glob([...globs], { cwd: root })) {
    const file = await realpath(path.resolve(root, match)).catch(() => '');
    if (!file.startsWith(root + path.sep) || reports.has(file)) {
      continue;
    }
    const { size, isFile } = await statOf(file);
    if (!isFile) {
      continue;
    }
    if (size > MAX_BYTES) {
      throw new ReportError(`${match} is larger than ${MAX_BYTES} bytes`);
    }
    total += size;
    if (total > MAX_TOTAL_BYTES) {
      throw new ReportError(
        `The reports are larger than ${MAX_TOTAL_BYTES} bytes together`,
      );
    }
    if (reports.size === MAX_FILES) {
      throw new ReportError(`There are more than ${MAX_FILES} reports`);
    }
    reports.set(file, { path: match, text: await readFile(file, 'utf8') });
  }
  return [...reports.values()];
}

async function statOf(
  file: string,
): Promise<{ size: number; isFile: boolean }> {
  const found = await stat(file);
  return { size: found.size, isFile: found.isFile() };
}

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
    onClose(): void;
  };
  readonly #sessions = new Set<number>();

  constructor(
    options: LocalExecutorOptions & {
      mark: BuildMark;
      environment: Readonly<Record<string, string>>;
      /** Called once the place is gone. */
      onClose(): void;
    },
  ) {
    this.#options = options;
  }

  get #build() {
    const { mark, directory } = this.#options;
    return { buildId: mark.buildId, directory };
  }

  /** Absolute; where the server sees the work directory. */
  get workDirectory(): string {
    return foldersIn(this.#options.directory).work;
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
      cwd: this.workDirectory,
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
    return readReports(this.workDirectory, globs);
  }

  /** Ends every process of the build and removes the work directory. */
  async close(): Promise<void> {
    const { mark, directory } = this.#options;
    await killProcesses({
      isDoomed: ({ worker, buildId }) =>
        worker === mark.worker && buildId === mark.buildId,
      sessions: this.#sessions,
    });
    await removeFolder(directory);
    this.#options.onClose();
  }
}

function removeFolder(directory: string): Promise<void> {
  return rm(directory, {
    recursive: true,
    force: true,
    maxRetries: 5,
    retryDelay: 50,
  });
}

/** Runs builds as processes of this machine, apart from the server where {@link Isolation} holds. */
export class LocalExecutor {
  readonly #options: LocalExecutorOptions;
  /** Builds that run here now. */
  readonly #open = new Set<number>();

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
      onClose: () => this.#open.delete(build.id),
    });
    this.#open.add(build.id);
    try {
      await place.prepare();
    } catch (error) {
      await place.close();
      throw error;
    }
    return place;
  }

  /**
   * Removes the folders of builds that are over: their process was killed before it did.
   *
   * @param listOver - which of some builds, by their ids, are over.
   */
  async tidy(listOver: (ids: number[]) => Promise<number[]>): Promise<void> {
    const { directory } = this.#options;
    const names = await readdir(directory).catch((): string[] => []);
    const ids = names.filter(name => /^[1-9]\d*$/.test(name)).map(Number);
    const left = ids.filter(id => !this.#open.has(id));
    for (const id of left.length > 0 ? await listOver(left) : []) {
      await removeFolder(path.join(directory, String(id)));
    }
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
