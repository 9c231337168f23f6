import type { Build, Claim } from '../builds/Build.ts';
import type { FoundArtifacts } from '../execution/Exchange.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildReader } from '../storage/BuildReader.ts';
import type { Artifacts } from './Artifacts.ts';

/** Dependencies of {@link BuildArtifacts}. */
interface BuildArtifactsOptions {
  store: BuildReader;
  jobs: Pick<JobCatalog, 'findOfBuild'>;
  artifacts: Artifacts;
}

/** Provides builds with the artifacts of the jobs that their own job names. */
export class BuildArtifacts {
  readonly #options: BuildArtifactsOptions;

  constructor(options: BuildArtifactsOptions) {
    this.#options = options;
  }

  async list(claim: Claim, job: string): Promise<FoundArtifacts | undefined> {
    const build = await this.#buildOf(claim, job);
    return (
      build && {
        number: build.number,
        paths: build.artifacts.map(({ path }) => path),
      }
    );
  }

  async open(
    claim: Claim,
    file: { job: string; number: number; path: string },
  ): Promise<AsyncIterable<Buffer> | undefined> {
    const build = await this.#buildOf(claim, file.job, file.number);
    const isKept = build?.artifacts.some(({ path }) => path === file.path);
    const found = isKept
      ? await this.#options.artifacts.open(build!.id, file.path)
      : undefined;
    return found?.createReadStream();
  }

  /**
   * Finds the build with the given number, else the upstream build that triggered the
   * claim's build, else the last successful one.
   */
  async #buildOf(
    { id }: Claim,
    job: string,
    number?: number,
  ): Promise<Build | undefined> {
    const { store, jobs } = this.#options;
    const own = await store.findById(id);
    const named = own && jobs.findOfBuild(own.job)?.artifactsFrom;
    if (!named?.some(one => one.job === job)) {
      return undefined;
    }
    if (number !== undefined) {
      return store.find(job, number);
    }
    return own?.upstream?.job === job
      ? store.find(job, own.upstream.number)
      : store.findNewest(job, { results: ['SUCCESS'] });
  }
}
