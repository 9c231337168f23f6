import type { ForgeOptions, Kit } from '../config.ts';
import type { GitOptions } from '../execution/PlacedBuild.ts';
import type { Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { repositoryName } from '../jobs/repository.ts';
import { isBitbucket, repositoryAt } from '../reporting/commitStatus.ts';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import type { Branches } from './Branches.ts';
import type { BuildTriggers } from './BuildTriggers.ts';
import type { EventSource } from './eventReading.ts';
import { listHeads } from './listHeads.ts';
import { listRequests } from './listRequests.ts';
import { authorOf, faultOf, ignoredFor } from './readDelivery.ts';

type SourcedJob = Job & { source: NonNullable<Job['source']> };

interface PollOptions {
  jobs: JobCatalog;
  branches: Branches;
  store: Pick<BuildStore, 'findNewestOf'>;
  triggers: BuildTriggers;
  secrets: StepSecrets;
  /** Forges that are asked for pull requests. */
  forges: readonly ForgeOptions[];
  git: GitOptions;
  /** PATH of git. */
  path: string;
  logger: { warn(details: object, message: string): void };
}

/** Polls repositories from the start of the service on, unless the configuration turns it off. */
export function startPolling(
  { config, logger, every }: Pick<Kit, 'config' | 'logger' | 'every'>,
  parts: Omit<PollOptions, 'forges' | 'git' | 'path' | 'logger'>,
): void {
  if (config.pollSeconds === 0) {
    return;
  }
  const { forges, git, path } = config;
  const options = {
    ...{ ...parts, git, path, logger },
    forges: Object.values(forges),
  };
  every({
    name: 'Polling repositories',
    everyMs: config.pollSeconds * 1_000,
    work: signal => pollRepositories(options, signal),
  });
}

/**
 * Looks into the repositories of all jobs with pipelines: commits that no webhook has announced
 * are built, and the jobs of branches and pull requests that are gone are removed. Pull requests
 * are known only where the API of the forge is configured: git does not tell which are open.
 */
async function pollRepositories(
  options: PollOptions,
  signal: AbortSignal,
): Promise<void> {
  const { jobs, logger } = options;
  const polled = jobs
    .enabled()
    .filter(
      (job): job is SourcedJob =>
        job.pipelines !== undefined &&
        job.source !== undefined &&
        jobs.branchOf(job.name) === undefined,
    );
  for (const job of polled) {
    for (const [what, poll] of [
      ['branches', pollBranches],
      ['pull requests', pollRequests],
    ] as const) {
      try {
        await poll(job, options, signal);
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        const details = { err: error, job: job.name };
        logger.warn(details, `The ${what} of a repository were not polled`);
      }
    }
  }
}

async function pollBranches(
  job: SourcedJob,
  options: PollOptions,
  signal: AbortSignal,
): Promise<void> {
  const { jobs, branches, secrets, git, path } = options;
  const { source } = job;
  // What is opened while the repository responds may be missing in its response.
  const known = jobs.branchesOf(job.name);
  const heads = await listHeads(
    {
      ...secrets.checkoutOf(source),
      knownHosts: source.credentials?.knownHosts,
      ...git,
    },
    { path, signal },
  );
  for (const { ref, pullRequest } of known) {
    if (pullRequest === null && !heads.has(ref)) {
      await branches.close(job, { ref });
    }
  }
  const repository = repositoryName(source.repository);
  for (const [ref, after] of heads) {
    const found = { repository, ref, after, commits: [] };
    await buildUnseen(job, { source: found, isStrict: true }, options);
  }
}

async function pollRequests(
  job: SourcedJob,
  options: PollOptions,
  signal: AbortSignal,
): Promise<void> {
  const { jobs, branches, forges } = options;
  for (const forge of forges.filter(one => !isBitbucket(one))) {
    const repository = repositoryAt(forge, job.source.repository);
    if (repository === undefined || job.pipelines?.pullRequests === 'none') {
      continue;
    }
    const known = jobs.branchesOf(job.name);
    const open = await listRequests(forge, { repository, signal });
    const numbers = new Set(
      open.requests.map(({ source }) => source.pullRequest?.number),
    );
    for (const { pullRequest } of open.isComplete ? known : []) {
      if (pullRequest !== null && !numbers.has(pullRequest)) {
        await branches.close(job, { pullRequest });
      }
    }
    for (const found of open.requests) {
      await buildUnseen(job, found, options);
    }
  }
}

/** Builds a commit of a branch or pull request, unless its job has built it. */
async function buildUnseen(
  job: SourcedJob,
  found: EventSource,
  { branches, store, triggers }: PollOptions,
): Promise<void> {
  const { source, author } = found;
  const { repository, ref, after } = source;
  if (ignoredFor(job, source) !== undefined || faultOf(found) !== undefined) {
    return;
  }
  const target = await branches.open(job, source);
  // Its webhook may have arrived, or an earlier poll may have found it.
  if ('reason' in target || (await store.findNewestOf(target.name, after!))) {
    return;
  }
  await triggers.trigger({
    job: target,
    parameters: new Map(),
    source,
    cause: `Found by polling ${repository} ${ref}`,
    kind: 'webhook',
    triggeredBy: authorOf(source, author),
    // Other replicas find it, too.
    delivery: `poll:${target.name}:${after}`,
  });
}
