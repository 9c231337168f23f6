import { chown, readdir } from 'node:fs/promises';
import path from 'node:path';
import {
  clearFolder,
  foldersIn,
  makeFolders,
  markComplete,
  removeFolders,
} from '../buildFolder.ts';
import type {
  Executor,
  ExecutorStatus,
  ImagesStatus,
  Place,
  PlaceRequest,
} from '../Executor.ts';
import type { EngineFacts, ListedContainer } from './ContainerEngine.ts';
import {
  type ContainerOptions,
  ContainerPlace,
  type ContainerUser,
  LABEL,
  PLACE_LABEL,
} from './ContainerPlace.ts';
import { EngineError } from './engineResponses.ts';

/** Runs each command of a build in its own container; they share the folders of the build. */
export class ContainerExecutor implements Executor {
  readonly status: ExecutorStatus;
  readonly #options: ContainerOptions;
  /** Promises that resolve when the places of open builds are closed, by the id of the build. */
  readonly #open = new Map<number, Promise<void>>();

  constructor(options: ContainerOptions) {
    this.#options = options;
    const { processes, memoryMiB, cpus, diskMiB } = options.limits;
    this.status = {
      kind: 'containers',
      limits: `the container engine: ${processes} processes, ${memoryMiB} MiB of memory, ${cpus} CPUs, ${diskMiB} MiB of disk`,
      gaps: [
        'Steps without `network: none` reach what containers reach.',
        'Disk space is checked every second: until then, a build can exceed its limit.',
      ],
    };
  }

  /** Probes whether the engine works, and what it does not isolate. Never rejects. */
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
    const { image } = build;
    if (image === undefined) {
      throw new Error('A build without an image cannot run in a container');
    }
    // An attempt that was interrupted while its image was being pulled still has the folder.
    while (this.#open.has(build.id)) {
      await this.#open.get(build.id);
    }
    let onClose = () => {};
    const closed = new Promise<void>(resolve => {
      onClose = () => {
        this.#open.delete(build.id);
        resolve();
      };
    });
    this.#open.set(build.id, closed);
    try {
      return await this.#openPlace({ ...build, image }, onClose);
    } catch (error) {
      onClose();
      throw error;
    }
  }

  async #openPlace(
    build: PlaceRequest & { image: string },
    onClose: () => void,
  ): Promise<Place> {
    const { engine } = this.#options;
    const directory = path.join(this.#options.directory, String(build.id));
    await clearFolder(directory, build);
    await makeFolders(directory);
    const user = await this.#userOf(directory);
    await markComplete(directory);
    const place = new ContainerPlace({
      ...this.#options,
      ...{ build, directory, user, onClose },
    });
    // The folders exist even if the image is missing: a step reports that.
    await engine.pullIfMissing(build.image).catch((error: unknown) => {
      place.fault =
        error instanceof EngineError ? error.message : String(error);
    });
    return place;
  }

  async tidy(listOver: (ids: number[]) => Promise<number[]>): Promise<void> {
    const { directory, engine } = this.#options;
    const names = await readdir(directory).catch((): string[] => []);
    const known = await this.#ownContainers().catch(() => []);
    const ids = new Set([
      ...names.filter(name => /^[1-9]\d*$/.test(name)).map(Number),
      ...known.map(one => buildOf(one).id),
    ]);
    const left = [...ids].filter(id => !this.#open.has(id));
    const over = left.length > 0 ? await listOver(left) : [];
    // Throws if the engine does not respond, so that folders of containers that may still run are
    // kept.
    const containers = over.length > 0 ? await this.#ownContainers() : [];
    const ended: string[] = [];
    const failures: unknown[] = [];
    for (const id of over) {
      try {
        for (const one of containers.filter(each => buildOf(each).id === id)) {
          await engine.remove(one.Id);
        }
        ended.push(path.join(directory, String(id)));
      } catch (error) {
        // Its container may still run, so its folder stays.
        failures.push(error);
      }
    }
    await removeFolders(ended).catch(error => failures.push(error));
    if (failures.length > 0) {
      throw failures[0];
    }
  }

  /** Lists the containers of this executor's builds. */
  async #ownContainers() {
    const { directory, engine } = this.#options;
    const listed = await engine.list(LABEL);
    return listed.filter(({ Labels }) => Labels[PLACE_LABEL] === directory);
  }

  async sweep(isGone: (worker: string) => Promise<boolean>): Promise<void> {
    const { engine } = this.#options;
    for (const container of await engine.list(LABEL).catch(() => [])) {
      if (await isGone(buildOf(container).worker)) {
        await engine.remove(container.Id);
      }
    }
  }

  /** Chooses the user of a build's programs, and makes it the owner of the folders. */
  async #userOf(directory: string): Promise<ContainerUser> {
    const { engine, uid } = this.#options;
    const own = process.getuid?.() ?? 0;
    if (own !== 0) {
      // An unprivileged process cannot change the owner of folders.
      const isKept = await engine.describe().then(
        ({ mapsHostIds }) => mapsHostIds,
        // The first command reports that the engine failed.
        () => false,
      );
      return { uid: own, isKept };
    }
    for (const folder of Object.values(foldersIn(directory))) {
      await chown(folder, uid, uid);
    }
    return { uid, isKept: false };
  }
}

/** Reads which build of which process a container belongs to. */
function buildOf({ Labels }: ListedContainer): { worker: string; id: number } {
  const [worker, id] = Labels[LABEL].split(':');
  return { worker, id: Number(id) };
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
