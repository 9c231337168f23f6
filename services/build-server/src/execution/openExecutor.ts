import type { BuildServerConfig } from '../config.ts';
import type { Isolation } from '../isolation/Isolation.ts';
import { offeredLabels } from '../jobs/Job.ts';
import {
  type ImagesExecutor,
  type ProbeImages,
  probeOf,
} from './probeImages.ts';
import { ContainerEngine } from './containers/ContainerEngine.ts';
import { ContainerExecutor } from './containers/ContainerExecutor.ts';
import type { Executor } from './Executor.ts';
import { Executors } from './Executors.ts';
import { openCluster } from './kubernetes/openCluster.ts';
import { LocalExecutor } from './local/LocalExecutor.ts';
import { MAX_TOTAL_BYTES } from './readBuildFiles.ts';

/** The keys of the configuration that agents have, too. */
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

/**
 * Creates the executor for the builds of this process.
 *
 * @param options.directory - absolute; contains work directories.
 * @param options.untilSettled - waits until what blocks the event loop may be done.
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
