import type { BuildServerConfig } from '../config.ts';
import type { Isolation } from '../isolation/Isolation.ts';
import { offeredLabels } from '../jobs/Job.ts';
import { ContainerEngine } from './containers/ContainerEngine.ts';
import { ContainerExecutor } from './containers/ContainerExecutor.ts';
import type {
  Executor,
  ExecutorStatus,
  ImagesStatus,
  Place,
  PlaceRequest,
} from './Executor.ts';
import { openCluster } from './kubernetes/openCluster.ts';
import { LocalExecutor } from './local/LocalExecutor.ts';
import { MAX_TOTAL_BYTES } from './readBuildFiles.ts';
import { settleAll } from './settleAll.ts';

/** The keys of the configuration that agents also have. */
export type ExecutorConfig = Pick<
  BuildServerConfig,
  | 'artifacts'
  | 'containers'
  | 'executors'
  | 'isolation'
  | 'killAfterSeconds'
  | 'kubernetes'
  | 'labels'
  | 'path'
>;

/** Probes the executor of jobs with a container; resolves to null if there is none, and never rejects. */
export type ProbeImages = () => Promise<ImagesStatus | null>;

/** An executor of jobs with a container, which can be tested unless it is a cluster. */
interface ImagesExecutor extends Executor {
  probe?(): Promise<ImagesStatus>;
}

/** Runs builds with an image in containers or pods, and all others as processes of this machine. */
class Executors implements Executor {
  readonly #local: Executor;
  readonly #images: Executor;
  readonly #isForAll: boolean;

  /** @param options.isForAll - true if builds without an image run like those with one. */
  constructor(options: {
    local: Executor;
    images: Executor;
    isForAll: boolean;
  }) {
    this.#local = options.local;
    this.#images = options.images;
    this.#isForAll = options.isForAll;
  }

  get status(): ExecutorStatus {
    return (this.#isForAll ? this.#images : this.#local).status;
  }

  open(build: PlaceRequest): Promise<Place> {
    const { image } = build;
    const isLocal = image === undefined && !this.#isForAll;
    return (isLocal ? this.#local : this.#images).open(build);
  }

  async tidy(listOver: (ids: number[]) => Promise<number[]>): Promise<void> {
    // A leftover folder must not hide that containers may still run.
    await settleAll([this.#images.tidy(listOver), this.#local.tidy(listOver)]);
  }

  async sweep(isGone: (worker: string) => Promise<boolean>): Promise<void> {
    await this.#local.sweep(isGone);
    await this.#images.sweep(isGone);
  }

  async close(): Promise<void> {
    await this.#local.close?.();
  }
}

/**
 * Creates the executor for the builds of this process.
 *
 * @param options.directory - absolute; contains work directories.
 * @param options.untilSettled - waits until work that blocks the event loop is allowed.
 * @returns the executor, the labels of this process, and a probe of its container executor.
 */
export function openExecutor(
  config: ExecutorConfig,
  {
    directory,
    isolation,
    untilSettled,
  }: {
    directory: string;
    isolation: Isolation;
    untilSettled?(): Promise<void>;
  },
): { executor: Executor; labels: Set<string>; probeImages: ProbeImages } {
  const killAfterMs = config.killAfterSeconds * 1_000;
  const local = new LocalExecutor({
    ...{ directory, isolation, killAfterMs },
    path: config.path,
    standsBy: config.executors > 0,
    untilSettled,
    diskMiB: config.isolation.limits.diskMiB,
  });
  const images = openImages(config, { directory, killAfterMs });
  if (!images) {
    return {
      executor: local,
      labels: offeredLabels(config.labels, { runsImages: false }),
      probeImages: async () => null,
    };
  }
  const isForAll = config.kubernetes?.image !== undefined;
  return {
    executor: new Executors({ local, images, isForAll }),
    labels: offeredLabels(config.labels, { runsImages: true }),
    // A process without executors runs none.
    probeImages: config.executors > 0 ? probeOf(images) : async () => null,
  };
}

/** Creates the executor for jobs with an image; undefined if none is configured. */
function openImages(
  config: ExecutorConfig,
  { directory, killAfterMs }: { directory: string; killAfterMs: number },
): ImagesExecutor | undefined {
  const { containers, kubernetes, artifacts } = config;
  if (containers && kubernetes) {
    throw new Error(
      'buildServer.containers and buildServer.kubernetes exclude each other: remove one of them',
    );
  }
  if (kubernetes) {
    return openCluster(kubernetes, {
      directory: `${directory}-kubernetes`,
      killAfterMs,
      maxBytes: Math.max(artifacts.maxBytes, MAX_TOTAL_BYTES),
    });
  }
  return (
    containers &&
    new ContainerExecutor({
      ...{ directory: `${directory}-containers`, killAfterMs },
      engine: new ContainerEngine(containers.socket),
      limits: {
        ...containers,
        diskMiB: config.isolation.limits.diskMiB,
      },
      uid: containers.uid,
    })
  );
}

/** Time for which a probe is cached, since every open page requests it. */
const CACHE_MS = 10_000;

/** Creates a cached probe of an executor. An executor without `probe` is reported as working. */
export function probeOf(executor: ImagesExecutor): ProbeImages {
  let tested: Promise<ImagesStatus> | undefined;
  let testedAt = -Infinity;
  return () => {
    if (!tested || performance.now() - testedAt > CACHE_MS) {
      testedAt = performance.now();
      tested =
        executor.probe?.() ??
        Promise.resolve({ ...executor.status, engine: null, fault: null });
    }
    return tested;
  };
}
