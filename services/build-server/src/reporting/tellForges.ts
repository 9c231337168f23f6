import { pageOf } from '../builds/Build.ts';
import type { Kit } from '../config.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildReader } from '../storage/BuildReader.ts';
import { statusOf } from './commitStatus.ts';
import { credentialsOf, repositoryAt } from './forgeApi.ts';
import type { TellBuild } from './news.ts';

/** GitLab responds with 400 if the commit already has the state. */
const SAME_STATE = 400;

/** The stored message: which commit to update. The status itself is read when it is sent. */
interface Message {
  job: string;
  repository: string;
  sha: string;
}

/**
 * Sets the status of commits at their forges, from the queuing of a build to its end.
 *
 * @param parts.store - read at each attempt: a delayed status is that of the newest
 * build.
 * @returns a function to call in the transaction that stores a build.
 */
export function tellForges(
  kit: Pick<Kit, 'config' | 'outbox' | 'portal'>,
  { jobs, store }: { jobs: JobCatalog; store: BuildReader },
): TellBuild {
  const { config, outbox, portal } = kit;
  const forges = Object.entries(config.forges);
  for (const [name, forge] of forges) {
    outbox.endpoints.add({
      id: `forge-${name}`,
      kind: 'Commit status',
      url: forge.apiUrl ?? forge.url,
      events: [eventOf(name)],
      headers: credentialsOf(forge),
      ...(forge.kind === 'gitlab' && { acceptedStatuses: [SAME_STATE] }),
      async prepare(body) {
        const { job, repository, sha } = JSON.parse(body) as Message;
        const build = await store.findNewestOf(job, sha);
        if (!build) {
          return undefined;
        }
        const status = statusOf(forge, {
          commit: { repository, sha },
          build,
          context: contextOf(job, jobs),
          page: portal.appUrl + pageOf(build),
        });
        return { url: status.url, body: JSON.stringify(status.body) };
      },
    });
  }
  return async (trx, build) => {
    const sha = build.source?.after;
    const address = jobs.findOfBuild(build.job)?.source?.repository;
    const fork = build.source?.pullRequest?.fork;
    if (sha === undefined || address === undefined) {
      return;
    }
    for (const [name, forge] of forges) {
      const repository = repositoryAt(forge, address);
      if (repository !== undefined) {
        const payload: Message = {
          job: build.job,
          // A status belongs to a commit, which only the fork has.
          repository: fork ?? repository,
          sha,
        };
        await outbox.enqueue(trx, { name: eventOf(name), payload });
      }
    }
  };
}

function eventOf(forge: string): string {
  return `build.status.${forge}`;
}

/** Returns the check of a job: the jobs of all branches share one, and those of pull requests another. */
function contextOf(job: string, jobs: JobCatalog): string {
  const branch = jobs.branchOf(job);
  const [parent] = job.split('/');
  const isRequest = branch
    ? branch.pullRequest !== null
    : /\/PR-\d+$/.test(job);
  return `slipway/${parent}${isRequest ? '/pr' : ''}`;
}
