import { type FileHandle, readdir } from 'node:fs/promises';
import path from 'node:path';
import { listProcesses, sendSignal } from '@slipway/processes';
import { foldersIn, type Isolation } from '../../isolation/Isolation.ts';
import { clearFolder, markComplete, removeFolder } from '../buildFolder.ts';
import type { Command } from '../commands.ts';
import type {
  Executor,
  ExecutorStatus,
  Place,
  PlaceRequest,
} from '../Executor.ts';
import { putFile, takeFile } from '../placeFiles.ts';
import {
  type BuildMark,
  killProcesses,
  markEnvironment,
  readMark,
  runProcess,
} from './processes.ts';

interface LocalExecutorOptions {
  /** Absolute; contains work directories. */
  directory: string;
  isolation: Isolation;
  /** PATH of builds. */
  path: string;
  /** Milliseconds from SIGTERM to SIGKILL. */
  killAfterMs: number;
}

/** The directory and the processes of one build. */
class LocalPlace implements Place {
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
      /** Called once the place is closed. */
      onClose(): void;
    },
  ) {
    this.#options = options;
  }

  get #build() {
    const { mark, directory } = this.#options;
    return { buildId: mark.buildId, directory };
  }

  get #workDirectory(): string {
    return foldersIn(this.#options.directory).work;
  }

  async prepare(): Promise<void> {
    await this.#options.isolation.prepare(this.#build);
    await markComplete(this.#options.directory);
  }

  async run({
    argv,
    environment,
    isOffline,
    service,
    signal,
    output,
  }: Command): Promise<string | null> {
    const { mark, isolation, killAfterMs } = this.#options;
    const { work, home, tmp } = isolation.folders(this.#build);
    const command = isolation.command(this.#build, argv, { isOffline });
    if (service?.image !== undefined) {
      return 'its image needs a job with a container';
    }
    if (!command) {
      return 'it must not reach the network, which needs isolation';
    }
    let session: number | undefined;
    const failure = await runProcess({
      argv: command,
      cwd: this.#workDirectory,
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
    return this.#workDirectory;
  }

  async put(content: AsyncIterable<Buffer>): Promise<string> {
    const { isolation, directory } = this.#options;
    const name = await putFile(foldersIn(directory).home, content);
    return path.join(isolation.folders(this.#build).home, name);
  }

  take(name: string): Promise<FileHandle | undefined> {
    return takeFile(foldersIn(this.#options.directory).home, name);
  }

  async close({ keepsFiles = false } = {}): Promise<void> {
    const { directory, isolation } = this.#options;
    await this.#endProcesses();
    await isolation.release(this.#build);
    if (!keepsFiles) {
      await removeFolder(directory);
    }
    this.#options.onClose();
  }

  /** Looking through all processes of a machine takes long, so it is done only if needed. */
  async #endProcesses(): Promise<void> {
    const { mark, isolation } = this.#options;
    if (isolation.endsProcesses) {
      this.#sessions.forEach(session => sendSignal(-session, 'SIGKILL'));
      return;
    }
    await killProcesses({
      isDoomed: ({ worker, buildId }) =>
        worker === mark.worker && buildId === mark.buildId,
      sessions: this.#sessions,
    });
  }
}

/** Runs builds as processes of this machine, isolated from the server if {@link Isolation} works. */
export class LocalExecutor implements Executor {
  readonly status: ExecutorStatus;
  readonly #options: LocalExecutorOptions;
  /** Builds running here. */
  readonly #open = new Set<number>();
  #isSwept = false;

  constructor(options: LocalExecutorOptions) {
    this.#options = options;
    this.status = options.isolation.status;
  }

  async open(build: PlaceRequest): Promise<Place> {
    const directory = path.join(this.#options.directory, String(build.id));
    await clearFolder(directory, build);
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

  async tidy(listOver: (ids: number[]) => Promise<number[]>): Promise<void> {
    const { directory } = this.#options;
    const names = await readdir(directory).catch((): string[] => []);
    const ids = names.filter(name => /^[1-9]\d*$/.test(name)).map(Number);
    const left = ids.filter(id => !this.#open.has(id));
    for (const id of left.length > 0 ? await listOver(left) : []) {
      await removeFolder(path.join(directory, String(id)));
    }
  }

  async sweep(isGone: (worker: string) => Promise<boolean>): Promise<void> {
    // The processes of an earlier start may have run without isolation.
    if (this.#isSwept && this.#options.isolation.endsProcesses) {
      return;
    }
    this.#isSwept = true;
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
