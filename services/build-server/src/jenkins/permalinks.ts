import type { Build, StartedBuild } from '../builds/Build.ts';
import type { BuildFilter, BuildReader } from '../storage/BuildReader.ts';

/** Names that stand for a number, as in Jenkins. */
export const PERMALINKS = {
  lastBuild: {},
  lastCompletedBuild: { completed: true },
  lastSuccessfulBuild: { results: ['SUCCESS', 'UNSTABLE'] },
  lastStableBuild: { results: ['SUCCESS'] },
  lastUnstableBuild: { results: ['UNSTABLE'] },
  lastFailedBuild: { results: ['FAILURE'] },
  lastUnsuccessfulBuild: { results: ['FAILURE', 'UNSTABLE', 'ABORTED'] },
} as const satisfies Record<string, BuildFilter>;

export type Permalink = keyof typeof PERMALINKS;

/** The builds that they stand for; null where there is none. */
export type Permalinks = Record<Permalink, StartedBuild | null>;

/**
 * Looks up what the permalinks of a job stand for.
 *
 * @param options.builds - the newest, newest first.
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
