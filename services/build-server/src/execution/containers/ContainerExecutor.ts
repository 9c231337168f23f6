import { chown, type FileHandle, readdir } from 'node:fs/promises';
import path from 'node:path';
import { foldersIn, makeFolders } from '../../isolation/Isolation.ts';
import { clearFolder, markComplete, removeFolder } from '../buildFolder.ts';
import type { Command, Interruption } from '../commands.ts';
import type {
  Executor,
  ExecutorStatus,
  ImagesStatus,
  Place,
  PlaceRequest,
} from '../Executor.ts';
import { putFile, takeFile } from '../placeFiles.ts';
import {
  type ContainerEngine,
  EngineError,
  type EngineFacts,
} from './ContainerEngine.ts';

/** The label that identifies containers of builds. */
const LABEL = 'dev.slipway.build';
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
export interface ContainerLimits {
  processes: number;
  memoryMiB: number;
  cpus: number;
}

interface ContainerOptions {
  engine: ContainerEngine;
  /** Absolute; contains work directories. The engine must see it under the same name. */
  directory: string;
  limits: ContainerLimits;
  /** User id of programs in containers. */
  uid: number;
  killAfterMs: number;
}

/** The folders and the containers of one build. */
class ContainerPlace implements Place {
  /** Reason why nothing can run in it; the end of a sentence. */
  fault: string | undefined;
  readonly #options: ContainerOptions & {
    build: PlaceRequest & { image: string };
    directory: string;
    onClose(): void;
  };
  #commands = 0;
  /** The container whose network the others share: the first service. */
  #network: string | undefined;

  constructor(
    options: ContainerOptions & {
      build: PlaceRequest & { image: string };
      /** Absolute; the folder of this build. */
      directory: string;
      onClose(): void;
    },
  ) {
    this.#options = options;
  }

  async run(command: Command): Promise<string | null> {
    const { engine } = this.#options;
    const { signal, output } = command;
    throwIfInterrupted(signal);
    if (this.fault !== undefined) {
      return this.fault;
    }
    const image = command.service?.image;
    try {
      await (image === undefined ? undefined : engine.bring(image));
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
    for (const { Id } of await engine.list(label)) {
      await engine.remove(Id);
    }
    if (!keepsFiles) {
      await removeFolder(directory);
    }
    onClose();
  }

  #create(command: Command): Promise<string> {
    const { argv, environment, isOffline, service } = command;
    const { engine, build, directory, limits, uid } = this.#options;
    const { work, home, tmp } = foldersIn(directory);
    const { processes, memoryMiB, cpus } = limits;
    const memory = memoryMiB * 1024 ** 2;
    this.#commands += 1;
    return engine.create(
      `slipway-${build.id}-${build.attempt}-${this.#commands}-${process.pid}`,
      {
        Image: service?.image ?? build.image,
        ...(argv.length > 0 && { Cmd: argv }),
        // Set in the container, not on this program: process lists do not show them.
        Env: Object.entries({
          ...build.environment,
          ...environment,
          HOME: INSIDE.home,
          TMPDIR: INSIDE.tmp,
          WORKSPACE: INSIDE.work,
          LANG: 'C.UTF-8',
        }).map(([name, value]) => `${name}=${value}`),
        ...(service?.image === undefined && {
          User: `${uid}:${uid}`,
          WorkingDir: INSIDE.work,
        }),
        Labels: {
          [LABEL]: `${build.worker}:${build.id}`,
          'dev.slipway.place': path.dirname(directory),
        },
        HostConfig: {
          NetworkMode: this.#networkOf(isOffline),
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
      timer = setTimeout(() => kill('SIGKILL'), killAfterMs);
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
      throwIfInterrupted(signal);
      if (isOutOfMemory) {
        return `it used more than ${limits.memoryMiB} MiB of memory`;
      }
      return code === 0 ? null : `it ended with exit code ${code}`;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  }
}

/** Runs each command of a build in its own container; they share the folders of the build. */
export class ContainerExecutor implements Executor {
  readonly status: ExecutorStatus;
  readonly #options: ContainerOptions;
  readonly #open = new Set<number>();

  constructor(options: ContainerOptions) {
    this.#options = options;
    const { processes, memoryMiB, cpus } = options.limits;
    this.status = {
      kind: 'containers',
      limits: `the container engine: ${processes} processes, ${memoryMiB} MiB of memory, ${cpus} CPUs`,
      gaps: [
        'Steps without `network: none` reach what containers reach.',
        'Disk space is shared with the build server.',
      ],
    };
  }

  /** Asks the engine whether it works, and what it does not isolate. Never fails. */
  async probe(): Promise<ImagesStatus> {
    try {
      const facts = await this.#options.engine.describe();
      const gaps = [...this.status.gaps, ...gapsOf(facts)];
      return { ...this.status, gaps, engine: facts.name, fault: null };
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      return { ...this.status, engine: null, fault };
    }
  }

  async open(build: PlaceRequest): Promise<Place> {
    const { engine, uid } = this.#options;
    if (build.image === undefined) {
      throw new Error('A build without an image is not for containers');
    }
    const directory = path.join(this.#options.directory, String(build.id));
    await clearFolder(directory, build);
    await makeFolders(directory);
    if (process.getuid?.() === 0) {
      for (const folder of Object.values(foldersIn(directory))) {
        await chown(folder, uid, uid);
      }
    }
    await markComplete(directory);
    const place = new ContainerPlace({
      ...this.#options,
      build: { ...build, image: build.image },
      directory,
      onClose: () => this.#open.delete(build.id),
    });
    this.#open.add(build.id);
    // The folders exist even if the image is missing: a step reports that.
    await engine.bring(build.image).catch((error: unknown) => {
      place.fault =
        error instanceof EngineError ? error.message : String(error);
    });
    return place;
  }

  async tidy(listOver: (ids: number[]) => Promise<number[]>): Promise<void> {
    const { directory, engine } = this.#options;
    const names = await readdir(directory).catch((): string[] => []);
    const containers = await engine.list(LABEL).catch(() => []);
    const ids = new Set([
      ...names.filter(name => /^[1-9]\d*$/.test(name)).map(Number),
      ...containers
        .filter(({ Labels }) => Labels['dev.slipway.place'] === directory)
        .map(({ Labels }) => Number(Labels[LABEL].split(':')[1])),
    ]);
    const left = [...ids].filter(id => !this.#open.has(id));
    for (const id of left.length > 0 ? await listOver(left) : []) {
      await this.#removeContainers(({ buildId }) => buildId === id);
      await removeFolder(path.join(directory, String(id)));
    }
  }

  async sweep(isGone: (worker: string) => Promise<boolean>): Promise<void> {
    const containers = await this.#options.engine.list(LABEL).catch(() => []);
    for (const { Id, Labels } of containers) {
      const [worker] = Labels[LABEL].split(':');
      if (await isGone(worker)) {
        await this.#options.engine.remove(Id);
      }
    }
  }

  async #removeContainers(
    isDoomed: (build: { buildId: number }) => boolean,
  ): Promise<void> {
    const { engine, directory } = this.#options;
    for (const { Id, Labels } of await engine.list(LABEL)) {
      const buildId = Number(Labels[LABEL].split(':')[1]);
      if (Labels['dev.slipway.place'] === directory && isDoomed({ buildId })) {
        await engine.remove(Id);
      }
    }
  }
}

function gapsOf(facts: EngineFacts): string[] {
  return [
    ...(facts.isRootless
      ? []
      : [
          'The container engine runs as root: an escape from a container is an escape to root.',
        ]),
    ...(facts.hasSeccomp ? [] : ['System calls are not filtered by seccomp.']),
    ...(facts.limitsMemory ? [] : ['Memory is not limited on this machine.']),
    ...(facts.limitsProcesses
      ? []
      : ['The number of processes is not limited on this machine.']),
  ];
}

function throwIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) {
    // An interruption is no error: what is thrown is its kind.
    // eslint-disable-next-line no-throw-literal
    throw signal.reason as Interruption;
  }
}
