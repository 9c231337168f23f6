import { type FileHandle, readdir } from 'node:fs/promises';
import path from 'node:path';
import { readProcess, sendSignal } from '@slipway/processes';
import type { Isolation } from '../../isolation/Isolation.ts';
import {
  type BuildFolders,
  clearFolder,
  foldersIn,
  markComplete,
  removeFolder,
  removeFolders,
} from '../buildFolder.ts';
import type { JobLimits } from '../../jobs/JobParts.ts';
import type { Command } from '../commands.ts';
import type {
  Executor,
  ExecutorStatus,
  Place,
  PlaceRequest,
} from '../Executor.ts';
import { putFile, takeFile } from '../placeFiles.ts';
import { UsageWatch } from '../UsageWatch.ts';
import { holdMachinePorts } from './holdMachinePorts.ts';
import {
  type BuildMark,
  killAbandonedProcesses,
  killProcesses,
  markEnvironment,
  runProcess,
  startProgram,
} from './processes.ts';
import { Standby, type WaitingProgram } from './Standby.ts';

interface LocalExecutorOptions {
  /** Absolute; contains work directories. */
  directory: string;
  isolation: Isolation;
  /** PATH of builds. */
  path: string;
  /** Milliseconds from SIGTERM to SIGKILL. */
  killAfterMs: number;
  /** Mebibytes of disk space of a build, unless its job has its own limit. */
  diskMiB: number;
  /** True to keep a sandbox ready for the next build. */
  standsBy?: boolean;
  /** Waits until the next sandbox may be prepared after a build took the last one. */
  untilSettled?(): Promise<void>;
}

/** A build in its folder. */
interface OpenBuild {
  /** The folder of the build. */
  directory: string;
  mark: BuildMark;
  /** The number by which the isolation knows the build. */
  number: number;
  /** Waits in the sandbox of the build for its first command. */
  program?: WaitingProgram;
  environment: Readonly<Record<string, string>>;
  /** Limits of the job. */
  limits?: JobLimits;
  /** Called once the place is closed. */
  onClose(): void;
}

/** The directory and the processes of one build. */
class LocalPlace implements Place {
  readonly #options: LocalExecutorOptions & OpenBuild;
  readonly #folders: BuildFolders;
  readonly #sessions = new Set<number>();
  readonly #watch: UsageWatch;
  #program: WaitingProgram | undefined;
  #releasePorts: (() => void) | undefined;

  constructor(options: LocalExecutorOptions & OpenBuild) {
    this.#options = options;
    this.#program = options.program;
    const { directory, isolation, limits, diskMiB } = options;
    this.#folders = foldersIn(directory);
    this.#watch = new UsageWatch({
      directory,
      diskMiB: limits?.diskMiB ?? diskMiB,
      excess: () => isolation.excess(this.#build, this.#sessions),
    });
  }

  get exceeded(): AbortSignal {
    return this.#watch.exceeded;
  }

  get #build() {
    const { number, directory, limits } = this.#options;
    return { buildId: number, directory, limits };
  }

  async prepare(): Promise<void> {
    const { directory, isolation, number } = this.#options;
    await isolation.prepare(this.#build);
    await markComplete(directory, number);
  }

  async connect(
    options: Parameters<typeof holdMachinePorts>[0],
  ): Promise<string | null> {
    try {
      if (await this.#options.isolation.connect(this.#build)) {
        // The waiting program may be outside the network.
        this.#program?.end();
        this.#program = undefined;
        return null;
      }
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    this.#releasePorts ??= await holdMachinePorts(options);
    return null;
  }

  run(command: Command): Promise<string | null> {
    return this.#watch.during(() => this.#run(command));
  }

  async #run(command: Command): Promise<string | null> {
    const { argv, environment, isOffline, service, signal, output } = command;
    const { mark, isolation, killAfterMs } = this.#options;
    const { work, home, tmp } = isolation.folders(this.#build);
    const isolated = () => isolation.command(this.#build, argv, { isOffline });
    if (service?.image) {
      return 'its image needs a job with a container';
    }
    if (isOffline && !isolated()) {
      return 'it must not reach the network, which needs isolation';
    }
    const variables = {
      ...this.#options.environment,
      ...environment,
      PATH: this.#options.path,
      HOME: home,
      TMPDIR: tmp,
      LANG: 'C.UTF-8',
      WORKSPACE: work,
      ...markEnvironment(mark),
    };
    const start = () => {
      // The program already waiting in the sandbox runs the first command.
      const program = this.#program;
      if (!isOffline && program?.isWaiting && program.accepts(variables)) {
        this.#program = undefined;
        return program.exec(argv, variables);
      }
      return startProgram(isolated()!, {
        cwd: this.#folders.work,
        environment: variables,
      });
    };
    let session: number | undefined;
    const failure = await runProcess(start, {
      signal,
      output,
      killAfterMs,
      endsProcesses: isolation.endsProcesses,
      onStart: pid => {
        session = pid;
        this.#sessions.add(pid);
      },
    }).finally(() => {
      if (isolation.endsProcesses && session !== undefined) {
        this.#sessions.delete(session);
      }
    });
    const limit = failure && (await isolation.explain(this.#build));
    return limit ? `${failure}: ${limit}` : failure;
  }

  async bring(): Promise<string> {
    return this.#folders.work;
  }

  async put(content: AsyncIterable<Buffer>): Promise<string> {
    const name = await putFile(this.#folders.home, content);
    const { home } = this.#options.isolation.folders(this.#build);
    return path.join(home, name);
  }

  take(name: string): Promise<FileHandle | undefined> {
    return takeFile(this.#folders.home, name);
  }

  async close({ keepsFiles = false } = {}): Promise<void> {
    const { directory, isolation, onClose } = this.#options;
    try {
      await this.#endProcesses();
      await isolation.release(this.#build);
      await (keepsFiles ? undefined : removeFolder(directory));
    } finally {
      this.#releasePorts?.();
      // What is left is removed later.
      onClose();
    }
  }

  /** Looking through all processes of a machine takes long, so it is done only if needed. */
  async #endProcesses(): Promise<void> {
    const { mark, isolation } = this.#options;
    this.#program?.end();
    if (isolation.endsProcesses) {
      this.#sessions.forEach(session => sendSignal(-session, 'SIGKILL'));
      return;
    }
    await killProcesses({
      isDoomed: ({ worker, buildId }) =>
        worker === mark.worker && buildId === mark.buildId,
      sessions: this.#sessions,
      // Only this process starts processes with its mark, so all of them are younger.
      since: readProcess(process.pid)?.startTime,
    });
  }
}

/** Runs builds as processes of this machine, isolated from the server if {@link Isolation} works. */
export class LocalExecutor implements Executor {
  readonly status: ExecutorStatus;
  readonly #options: LocalExecutorOptions;
  /** Builds running here. */
  readonly #open = new Set<number>();
  readonly #standby: Standby | undefined;
  #isSwept = false;

  constructor(options: LocalExecutorOptions) {
    this.#options = options;
    const { isolation } = options;
    this.status = isolation.status;
    // Without isolation, programs see the real path of the folder, so it cannot become that of
    // another build.
    this.#standby =
      options.standsBy && isolation.endsProcesses
        ? new Standby(options)
        : undefined;
    void this.#standby?.prepare();
  }

  async open(build: PlaceRequest): Promise<Place> {
    const directory = path.join(this.#options.directory, String(build.id));
    // The next place has the general limits.
    const taken =
      build.resumes || build.limits
        ? undefined
        : await this.#standby?.take(directory);
    const kept = taken ? undefined : await clearFolder(directory, build);
    const place = new LocalPlace({
      ...this.#options,
      directory,
      mark: { worker: build.worker, buildId: build.id },
      number: taken?.number ?? kept ?? build.id,
      program: taken?.program,
      environment: build.environment,
      limits: build.limits,
      onClose: () => this.#open.delete(build.id),
    });
    this.#open.add(build.id);
    try {
      await (taken ? undefined : place.prepare());
    } catch (error) {
      // Files that cannot be removed are left to `tidy`, which reports them.
      await place.close().catch(() => undefined);
      throw error;
    }
    return place;
  }

  async tidy(listOver: (ids: number[]) => Promise<number[]>): Promise<void> {
    const { directory } = this.#options;
    const names = await readdir(directory).catch((): string[] => []);
    const ids = names.filter(name => /^[1-9]\d*$/.test(name)).map(Number);
    const left = ids.filter(id => !this.#open.has(id));
    try {
      const over = left.length > 0 ? await listOver(left) : [];
      await removeFolders(over.map(id => path.join(directory, String(id))));
    } finally {
      await this.#standby?.tidy(names);
    }
  }

  async sweep(isGone: (worker: string) => Promise<boolean>): Promise<void> {
    // The processes of an earlier start may have run without isolation.
    if (this.#isSwept && this.#options.isolation.endsProcesses) {
      return;
    }
    this.#isSwept = true;
    await killAbandonedProcesses(isGone);
  }

  async close(): Promise<void> {
    await this.#standby?.close();
  }
}
