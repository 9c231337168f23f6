import type { Transaction } from '@slipway/service-kit';
import { type BuildSource, pageOf } from '../builds/Build.ts';
import type { Kit } from '../config.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildReader } from '../storage/BuildReader.ts';
import { checkOf, checkOfSkipped, statusOf } from './commitStatus.ts';
import { credentialsOf, repositoryAt } from './forgeApi.ts';
import type { TellBuild } from './news.ts';

/**
 * GitLab responds with 400 if the commit already has the state; older versions also do so for
 * `skipped`.
 */
const GITLAB_REFUSAL = 400;

/** The stored message: which commit to update. The status itself is read when it is sent. */
interface Message {
  job: string;
  repository: string;
  sha: string;
  /** Set if the commit was not built because of its message. */
  skipped?: {
    /** Source branch of its pull request. */
    branch?: string;
  };
}

/** Notifies forges of a pull request whose newest commit is not built because of its message. */
export type TellSkipped = (
  trx: Transaction,
  skipped: { job: string; source: BuildSource },
) => Promise<void>;

/**
 * Sets the status of commits at their forges, from the queuing of a build to its end.
 *
 * @param parts.store - read at each attempt, so that a delayed status is that of the newest build.
 * @returns functions to call in the transaction that stores a build, or a skipped commit.
 */
export function tellForges(
  kit: Pick<Kit, 'config' | 'outbox' | 'portal'>,
  { jobs, store }: { jobs: JobCatalog; store: BuildReader },
): { tellStatus: TellBuild; tellSkipped: TellSkipped } {
  const { config, outbox, portal } = kit;
  const forges = Object.entries(config.forges);
  const checkFor = async ({ job, sha, skipped }: Message) => {
    const build = await store.findNewestOf(job, sha);
    if (build) {
      return checkOf(build, portal.appUrl + pageOf(build));
    }
    return (
      skipped && checkOfSkipped(skipped.branch, portal.appUrl + pageOf({ job }))
    );
  };
  for (const [name, forge] of forges) {
    outbox.endpoints.add({
      id: `forge-${name}`,
      kind: 'Commit status',
      url: forge.apiUrl ?? forge.url,
      events: [eventOf(name)],
      headers: credentialsOf(forge),
      ...(forge.kind === 'gitlab' && { acceptedStatuses: [GITLAB_REFUSAL] }),
      async prepare(body) {
        const message = JSON.parse(body) as Message;
        const { job, repository, sha } = message;
        const check = await checkFor(message);
        if (!check) {
          return undefined;
        }
        const status = statusOf(forge, {
          ...{ commit: { repository, sha }, check },
          context: contextOf(job, jobs),
        });
        return { url: status.url, body: JSON.stringify(status.body) };
      },
    });
  }
  const tell = async (
    trx: Transaction,
    { job, source }: { job: string; source: BuildSource | null },
    skipped?: Message['skipped'],
  ) => {
    const sha = source?.after;
    const address = jobs.findOfBuild(job)?.source?.repository;
    const fork = source?.pullRequest?.fork;
    if (sha === undefined || address === undefined) {
      return;
    }
    for (const [name, forge] of forges) {
      const repository = repositoryAt(forge, address);
      if (repository !== undefined) {
        const payload: Message = {
          job,
          // A status belongs to a commit, which exists only in the fork.
          repository: fork ?? repository,
          sha,
          skipped,
        };
        await outbox.enqueue(trx, { name: eventOf(name), payload });
      }
    }
  };
  return {
    tellStatus: (trx, build) => tell(trx, build),
    async tellSkipped(trx, skipped) {
      const { pullRequest } = skipped.source;
      // On a branch, a status that never ends would mark a commit that its author did not want built.
      if (pullRequest) {
        await tell(trx, skipped, { branch: pullRequest.branch });
      }
    },
  };
}

function eventOf(forge: string): string {
  return `build.status.${forge}`;
}

/**
 * Returns the context of a job's check: the jobs of all branches share one, and those of pull
 * requests another.
 */
function contextOf(job: string, jobs: JobCatalog): string {
  const branch = jobs.branchOf(job);
  const [parent] = job.split('/');
  const isRequest = branch
    ? branch.pullRequest !== null
    : /\/PR-\d+$/.test(job);
  return `slipway/${parent}${isRequest ? '/pr' : ''}`;
}
