import { NotFoundError } from '@slipway/service-kit';
import type { Build, StartedBuild } from '../builds/Build.ts';
import { isStarted } from '../builds/Build.ts';
import type { BuildFilter, BuildStore } from '../builds/BuildStore.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';

/** Names that stand for a number, as in Jenkins. */
const PERMALINKS: ReadonlyMap<string, BuildFilter> = new Map([
  ['lastBuild', {}],
  ['lastCompletedBuild', { completed: true }],
  ['lastSuccessfulBuild', { results: ['SUCCESS', 'UNSTABLE'] }],
  ['lastStableBuild', { results: ['SUCCESS'] }],
  ['lastUnstableBuild', { results: ['UNSTABLE'] }],
  ['lastFailedBuild', { results: ['FAILURE'] }],
  ['lastUnsuccessfulBuild', { results: ['FAILURE', 'UNSTABLE', 'ABORTED'] }],
]);

/** Finds what paths name. */
export class BuildLookup {
  readonly #jobs: JobCatalog;
  readonly #store: BuildStore;

  constructor(options: { jobs: JobCatalog; store: BuildStore }) {
    this.#jobs = options.jobs;
    this.#store = options.store;
  }

  /** @throws NotFoundError also for a build that has not begun. */
  async build(params: { job: string; build: string }): Promise<StartedBuild> {
    const { name } = this.#jobs.get(params.job);
    const filter = PERMALINKS.get(params.build);
    const number = /^[1-9]\d{0,8}$/.test(params.build)
      ? Number(params.build)
      : undefined;
    let found: Build | undefined;
    if (filter) {
      found = await this.#store.findNewest(name, filter);
    } else if (number !== undefined) {
      found = await this.#store.find(name, number);
    }
    if (!found || !isStarted(found)) {
      throw new NotFoundError(
        filter
          ? `${name} has no ${params.build}`
          : `${name} has no build ${params.build}`,
      );
    }
    return found;
  }

  /** @throws NotFoundError */
  async item(id: number): Promise<Build> {
    const build = await this.#store.findById(id);
    if (!build) {
      throw new NotFoundError(`There is no queue item ${id}`);
    }
    return build;
  }
}
