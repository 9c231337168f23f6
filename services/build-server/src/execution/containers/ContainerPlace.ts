import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { foldersIn, removeFolder } from '../buildFolder.ts';
import { type Command, endsAtOnce } from '../commands.ts';
import type { Place, PlaceRequest } from '../Executor.ts';
import { putFile, takeFile } from '../placeFiles.ts';
import { UsageWatch } from '../UsageWatch.ts';
import type { ContainerEngine } from './ContainerEngine.ts';
import { EngineError } from './engineResponses.ts';

/** The label that identifies containers of builds: the process and the id of the build. */
export const LABEL = 'dev.slipway.build';
/** The label with the directory of the executor. */
export const PLACE_LABEL = 'dev.slipway.place';
/** The exit code of a killed program. Podman does not always notice that memory was the cause. */
const KILLED = 137;
/** The capabilities an image needs to switch to its own user and own its files. */
const SERVICE_CAPABILITIES = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'SETGID',
  'SETUID',
];
const INSIDE = { work: '/build/work', home: '/build/home', tmp: '/tmp' };

/** Resource limits of one container. */
interface ContainerLimits {
  processes: number;
  memoryMiB: number;
  cpus: number;
  /** Disk space of the build. */
  diskMiB: number;
}

export interface ContainerOptions {
  engine: ContainerEngine;
  /** Absolute; contains work directories. The engine must see it under the same name. */
  directory: string;
  limits: ContainerLimits;
  /** User id of programs in containers if this process is root; otherwise they have its own. */
  uid: number;
  killAfterMs: number;
}

/** The user of a build's programs, who owns its folders. */
export interface ContainerUser {
  uid: number;
  /** True if the id must be the same within the engine's own user namespace. */
  isKept: boolean;
}

/** The folders and the containers of one build. */
export class ContainerPlace implements Place {
  /** Reason why nothing can run in it; the end of a sentence. */
  fault: string | undefined;
  readonly #options: ContainerOptions & {
    build: PlaceRequest & { image: string };
    directory: string;
    user: ContainerUser;
    onClose(): void;
  };
  readonly #watch: UsageWatch;
  #commands = 0;
  /** The container whose network the others share: the first service. */
  #network: string | undefined;

  constructor(
    options: ContainerOptions & {
      build: PlaceRequest & { image: string };
      /** Absolute; the folder of this build. */
      directory: string;
      user: ContainerUser;
      onClose(): void;
    },
  ) {
    const { directory, limits, build } = options;
    this.#options = { ...options, limits: { ...limits, ...build.limits } };
    const { diskMiB } = this.#options.limits;
    this.#watch = new UsageWatch({ directory, diskMiB });
  }

  get exceeded(): AbortSignal {
    return this.#watch.exceeded;
  }

  run(command: Command): Promise<string | null> {
    return this.#watch.during(() => this.#run(command));
  }

  async #run(command: Command): Promise<string | null> {
    const { engine } = this.#options;
    const { signal, output } = command;
    signal.throwIfAborted();
    if (this.fault !== undefined) {
      return this.fault;
    }
    const image = command.service?.image;
    try {
      await (image === undefined ? undefined : engine.pullIfMissing(image));
      const id = await this.#create(command);
      try {
        const parts = await engine.attach(id);
        await engine.start(id);
        if (command.service) {
          this.#network ??= id;
        }
        return await this.#follow(id, { parts, signal, output });
      } finally {
        await engine.remove(id);
      }
    } catch (error) {
      if (error instanceof EngineError) {
        return error.message;
      }
      throw error;
    }
  }

  async bring(): Promise<string> {
    return foldersIn(this.#options.directory).work;
  }

  async put(content: AsyncIterable<Buffer>): Promise<string> {
    const { home } = foldersIn(this.#options.directory);
    return `${INSIDE.home}/${await putFile(home, content)}`;
  }

  take(name: string): Promise<FileHandle | undefined> {
    return takeFile(foldersIn(this.#options.directory).home, name);
  }

  async close({ keepsFiles = false } = {}): Promise<void> {
    const { engine, build, directory, onClose } = this.#options;
    const label = `${LABEL}=${build.worker}:${build.id}`;
    try {
      for (const { Id } of await engine.list(label)) {
        await engine.remove(Id);
      }
      if (!keepsFiles) {
        await removeFolder(directory);
      }
    } finally {
      // What is left is removed later.
      onClose();
    }
  }

  async #create(command: Command): Promise<string> {
    const { argv, environment, isOffline, service } = command;
    const { engine, build, directory, limits, user } = this.#options;
    const { work, home, tmp } = foldersIn(directory);
    const { processes, memoryMiB, cpus } = limits;
    const memory = memoryMiB * 1024 ** 2;
    this.#commands += 1;
    return engine.create(
      `slipway-${build.id}-${build.attempt}-${this.#commands}-${process.pid}`,
      {
        Image: service?.image ?? build.image,
        ...(argv.length > 0 && { Cmd: argv }),
        // Set through the API rather than as arguments, so that process lists do not show them.
        Env: Object.entries({
          ...build.environment,
          ...environment,
          HOME: INSIDE.home,
          TMPDIR: INSIDE.tmp,
          WORKSPACE: INSIDE.work,
          LANG: 'C.UTF-8',
        }).map(([name, value]) => `${name}=${value}`),
        ...(service?.image === undefined
          ? { User: `${user.uid}:${user.uid}`, WorkingDir: INSIDE.work }
          : // With kept ids, the default is the user of this process.
            user.isKept && { User: await engine.userOf(service.image) }),
        Labels: {
          [LABEL]: `${build.worker}:${build.id}`,
          [PLACE_LABEL]: path.dirname(directory),
        },
        HostConfig: {
          NetworkMode: this.#networkOf(isOffline),
          ...(user.isKept && { UsernsMode: this.#usersOf(isOffline) }),
          CapDrop: ['ALL'],
          ...(service?.image === undefined
            ? {
                Binds: [
                  `${work}:${INSIDE.work}`,
                  `${home}:${INSIDE.home}`,
                  `${tmp}:${INSIDE.tmp}`,
                ],
                ReadonlyRootfs: true,
              }
            : // Images of databases begin as root and change to a user of their own; they see nothing of the build.
              { CapAdd: SERVICE_CAPABILITIES }),
          SecurityOpt: ['no-new-privileges'],
          Init: true,
          Memory: memory,
          MemorySwap: memory,
          NanoCpus: Math.round(cpus * 1e9),
          PidsLimit: processes,
        },
      },
    );
  }

  #networkOf(isOffline = false): string {
    if (isOffline) {
      return 'none';
    }
    return this.#network === undefined
      ? 'bridge'
      : `container:${this.#network}`;
  }

  /** Returns the user namespace: containers that share a network must share the one that owns it. */
  #usersOf(isOffline = false): string {
    return isOffline || this.#network === undefined
      ? 'keep-id'
      : `container:${this.#network}`;
  }

  async #follow(
    id: string,
    options: Pick<Command, 'signal' | 'output'> & {
      parts: AsyncIterable<{ stream: 'stdout' | 'stderr'; chunk: Buffer }>;
    },
  ): Promise<string | null> {
    const { engine, killAfterMs, limits } = this.#options;
    const { parts, signal, output } = options;
    let timer: NodeJS.Timeout | undefined;
    const kill = (name: 'SIGTERM' | 'SIGKILL') =>
      // It may just have ended.
      void engine.signal(id, name).catch(() => undefined);
    const end = () => {
      kill('SIGTERM');
      timer = setTimeout(
        () => kill('SIGKILL'),
        endsAtOnce(signal) ? 0 : killAfterMs,
      );
    };
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) {
      end();
    }
    try {
      const drained = (async () => {
        for await (const { stream, chunk } of parts) {
          await output(chunk, stream);
        }
      })().catch(() => undefined);
      const { code, isOutOfMemory } = await engine.wait(id);
      await drained;
      signal.throwIfAborted();
      if (isOutOfMemory) {
        return `it used more than ${limits.memoryMiB} MiB of memory`;
      }
      if (code === KILLED) {
        return `it was killed (exit code ${KILLED}), perhaps because it used more than ${limits.memoryMiB} MiB of memory`;
      }
      return code === 0 ? null : `it ended with exit code ${code}`;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  }
}
