import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { V1Job } from '@kubernetes/client-node';
import { isAlreadyThere } from '@slipway/cluster-client';
import {
  type Executor,
  type ExecutorStatus,
  type Place,
  PlaceLostError,
  type PlaceRequest,
} from '../Executor.ts';
import type { JobLimits } from '../../jobs/JobParts.ts';
import { KubernetesPlace, type PlaceOptions } from './KubernetesPlace.ts';
import { claimOf, filesJob, ownedBy } from './objects.ts';
import { LABELS, type PodSettings } from './podSpec.ts';
import { LOST_AFTER_MS } from './watchPod.ts';

interface KubernetesExecutorOptions extends PlaceOptions {
  /** Absolute; for copies of files of builds. */
  directory: string;
  /** The image of jobs that name none. */
  image?: string;
}

/** Runs each step of a build in a Job of a cluster; the pods of a build share a volume. */
export class KubernetesExecutor implements Executor {
  readonly status: ExecutorStatus;
  readonly #options: KubernetesExecutorOptions;
  /** Builds running here. */
  readonly #open = new Set<number>();

  constructor(options: KubernetesExecutorOptions) {
    this.#options = options;
    const { memoryMiB, cpus } = options.settings;
    this.status = {
      kind: 'kubernetes',
      limits: `the cluster: ${memoryMiB} MiB of memory, ${cpus} CPUs`,
      gaps: [
        'Steps can reach everything that pods in their namespace can, unless a network policy restricts it.',
        'The number of processes is limited only if the nodes limit it.',
      ],
    };
  }

  async open(build: PlaceRequest): Promise<Place> {
    const { cluster } = this.#options;
    const settings = withLimits(this.#options.settings, build.limits);
    const image = build.image ?? this.#options.image;
    if (image === undefined) {
      throw new Error('A build without an image cannot run in a cluster');
    }
    if (build.resumes) {
      // The volume belongs to the Job of the earlier attempt.
      throw new PlaceLostError('its volume is gone');
    }
    const directory = path.join(this.#options.directory, String(build.id));
    this.#open.add(build.id);
    try {
      await this.#removeOthers(build);
      await rm(directory, { recursive: true, force: true });
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const root = await cluster.createJob(filesJob(settings, build, image));
      const place = new KubernetesPlace({
        ...{ ...this.#options, settings },
        ...{ build: { ...build, image }, root, directory },
        onClose: () => this.#open.delete(build.id),
      });
      try {
        await cluster.createClaim(claimOf(settings, build, ownedBy(root)));
      } catch (error) {
        await place.close();
        throw error;
      }
      return place;
    } catch (error) {
      this.#open.delete(build.id);
      throw isAlreadyThere(error)
        ? new Error(
            'This attempt of the build is already running in the cluster',
          )
        : error;
    }
  }

  async tidy(listOver: (ids: number[]) => Promise<number[]>): Promise<void> {
    const { directory } = this.#options;
    const names = await readdir(directory).catch((): string[] => []);
    const jobs = await this.#jobs().catch((): V1Job[] => []);
    const ids = new Set([
      ...names.filter(name => /^[1-9]\d*$/.test(name)).map(Number),
      ...jobs.map(buildOf),
    ]);
    const left = [...ids].filter(id => !this.#open.has(id));
    const failures: unknown[] = [];
    for (const id of left.length > 0 ? await listOver(left) : []) {
      try {
        await this.#remove(jobs.filter(job => buildOf(job) === id));
        await rm(path.join(directory, String(id)), {
          recursive: true,
          force: true,
        });
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) {
      throw failures[0];
    }
  }

  async sweep(isGone: (worker: string) => Promise<boolean>): Promise<void> {
    // An unreachable cluster must not keep the build server from starting.
    for (const job of await this.#jobs().catch((): V1Job[] => [])) {
      const worker = job.metadata?.annotations?.[LABELS.worker];
      if (worker !== undefined && (await isGone(worker))) {
        await this.#remove([job]);
      }
    }
  }

  /** Ends what is left of earlier attempts: two must never run at the same time. */
  async #removeOthers({ id }: PlaceRequest): Promise<void> {
    const { cluster, killAfterMs } = this.#options;
    const others = await this.#jobs(`,${LABELS.build}=${id}`);
    await this.#remove(others);
    for (const { metadata } of others) {
      const { name = '' } = metadata ?? {};
      if (!(await cluster.untilGone(name, killAfterMs + LOST_AFTER_MS))) {
        throw new Error('An earlier attempt of the build did not stop in time');
      }
    }
  }

  async #remove(jobs: readonly V1Job[]): Promise<void> {
    for (const { metadata } of jobs) {
      await this.#options.cluster.deleteJob(metadata?.name ?? '');
    }
  }

  /** Lists the Jobs that own all objects of an attempt. */
  #jobs(selector = ''): Promise<V1Job[]> {
    const { cluster, settings } = this.#options;
    const { instance } = settings;
    return cluster.listJobs(
      `${LABELS.instance}=${instance},${LABELS.role}=files${selector}`,
    );
  }
}

function buildOf({ metadata }: V1Job): number {
  return Number(metadata?.labels?.[LABELS.build]);
}

/** Returns the settings for the pods of a build whose job has its own limits. */
function withLimits(
  settings: PodSettings,
  { memoryMiB = settings.memoryMiB, diskMiB }: JobLimits = {},
): PodSettings {
  const { storage } = settings;
  const sizeGiB =
    diskMiB === undefined ? storage.sizeGiB : Math.ceil(diskMiB / 1024);
  return { ...settings, memoryMiB, storage: { ...storage, sizeGiB } };
}
