import { NotFoundError } from '@slipway/service-kit';
import { asStarted, type Build, type StartedBuild } from '../builds/Build.ts';
import type { Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildFilter, BuildReader } from '../storage/BuildReader.ts';

/** Aliases of build numbers, as in Jenkins. */
export const PERMALINKS = {
  lastBuild: {},
  lastCompletedBuild: { completed: true },
  lastSuccessfulBuild: { results: ['SUCCESS', 'UNSTABLE'] },
  lastStableBuild: { results: ['SUCCESS'] },
  lastUnstableBuild: { results: ['UNSTABLE'] },
  lastFailedBuild: { results: ['FAILURE'] },
  lastUnsuccessfulBuild: { results: ['FAILURE', 'UNSTABLE', 'ABORTED'] },
} as const satisfies Record<string, BuildFilter>;

type Permalink = keyof typeof PERMALINKS;

/** The build of each alias; null if there is none. */
export type Permalinks = Record<Permalink, StartedBuild | null>;

/**
 * Resolves the permalinks of a job.
 *
 * @param options.builds - recent builds, newest first.
 * @param options.areAll - whether there are no older ones.
 */
export async function readPermalinks(
  store: Pick<BuildReader, 'findNewest'>,
  options: {
    job: string;
    builds: readonly StartedBuild[];
    areAll: boolean;
  },
): Promise<Permalinks> {
  const { job, builds, areAll } = options;
  const entries = Object.entries(PERMALINKS).map(async ([name, filter]) => {
    const found =
      builds.find(build => matches(build, filter)) ??
      (areAll ? undefined : await store.findNewest(job, filter));
    return [name, found ?? null];
  });
  return Object.fromEntries(await Promise.all(entries)) as Permalinks;
}

function matches(
  { state, result }: Build,
  { completed = false, results }: BuildFilter,
): boolean {
  return (
    (!completed || state === 'finished') &&
    (!results || (result !== null && results.includes(result)))
  );
}

/** Numbers that fit into an integer column. */
const NUMBER = /^[1-9]\d{0,8}$/;

/** Finds the builds and queue items named in paths. */
export class BuildLookup {
  readonly #jobs: JobCatalog;
  readonly #store: BuildReader;

  constructor(options: { jobs: JobCatalog; store: BuildReader }) {
    this.#jobs = options.jobs;
    this.#store = options.store;
  }

  /**
   * Finds a build that has started or was cancelled in the queue.
   *
   * @throws NotFoundError also for a waiting one: it is still a queue item.
   */
  async build(params: { job: string; build: string }): Promise<StartedBuild> {
    const found = asStarted(await this.trigger(params));
    if (!found) {
      throw new NotFoundError(`${params.job} has no build ${params.build}`);
    }
    return found;
  }

  /** Finds a build, including a waiting one. @throws NotFoundError */
  async trigger(params: { job: string; build: string }): Promise<Build> {
    // The builds of a branch or pull request stay for a while after it is gone.
    const { name } =
      this.#jobs.findOfBuild(params.job) ?? this.#jobs.get(params.job);
    const filter = Object.hasOwn(PERMALINKS, params.build)
      ? PERMALINKS[params.build as Permalink]
      : undefined;
    const number = NUMBER.test(params.build) ? Number(params.build) : undefined;
    let found: Build | undefined;
    if (filter) {
      found = await this.#store.findNewest(name, filter);
    } else if (number !== undefined) {
      found = await this.#store.find(name, number);
    }
    if (!found) {
      throw new NotFoundError(
        filter
          ? `${name} has no ${params.build}`
          : `${name} has no build ${params.build}`,
      );
    }
    return found;
  }

  /** Returns the job of a queue item, if both exist: the job determines who may cancel the item. */
  async jobOfItem(id: number | string): Promise<Job | undefined> {
    const build = await this.#findItem(id);
    return build && this.#jobs.findOfBuild(build.job);
  }

  /** @throws NotFoundError also for an invalid id. */
  async item(id: number | string): Promise<Build> {
    const build = await this.#findItem(id);
    if (!build) {
      throw new NotFoundError(`Queue item ${id} not found`);
    }
    return build;
  }

  async #findItem(id: number | string): Promise<Build | undefined> {
    return NUMBER.test(String(id))
      ? this.#store.findById(Number(id))
      : undefined;
  }
}
