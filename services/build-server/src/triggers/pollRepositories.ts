import type { ForgeOptions, Kit } from '../config.ts';
import type { GitOptions } from '../execution/PlacedBuild.ts';
import type { Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { addressAt, repositoryName } from '../jobs/repository.ts';
import { repositoryAt } from '../reporting/forgeApi.ts';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import type { BuildTriggers } from './BuildTriggers.ts';
import { authorOf, type EventSource, faultOf } from './eventReading.ts';
import { completed, isShortened, listRequests } from './listRequests.ts';
import type { Revisions } from './Revisions.ts';
import { listHeads } from './serverGit.ts';

/** Number of forks queried at the same time, each by a git process that waits for its forge. */
const FORKS_AT_ONCE = 8;
/**
 * Maximum number of forks queried by one poll, so that it ends before the next one even if none of
 * them responds.
 */
const MAX_FORKS = 40;

/** Time for reading the message of a commit. */
const MAX_READ_MS = 15_000;

type SourcedJob = Job & { source: NonNullable<Job['source']> };

interface PollOptions {
  jobs: JobCatalog;
  revisions: Revisions;
  store: Pick<BuildStore, 'findNewestOf'>;
  triggers: BuildTriggers;
  secrets: StepSecrets;
  /** Forges to query for pull requests. */
  forges: readonly ForgeOptions[];
  git: GitOptions;
  /** PATH of git. */
  path: string;
  logger: { warn(details: object, message: string): void };
  /**
   * Messages already logged about pull requests that cannot be built, so that each is logged once.
   */
  told: Set<string>;
  signal: AbortSignal;
}

/** Polls repositories from the start of the service on, unless the configuration turns it off. */
export function startPolling(
  { config, logger, every }: Pick<Kit, 'config' | 'logger' | 'every'>,
  parts: Omit<
    PollOptions,
    'forges' | 'git' | 'path' | 'logger' | 'told' | 'signal'
  >,
): void {
  if (config.pollSeconds === 0) {
    return;
  }
  const { forges, git, path } = config;
  const options = {
    ...{ ...parts, git, path, logger },
    forges: Object.values(forges),
    told: new Set<string>(),
  };
  every({
    name: 'Polling repositories',
    everyMs: config.pollSeconds * 1_000,
    work: signal => pollRepositories({ ...options, signal }),
  });
}

/**
 * Polls the repositories of all jobs with pipelines: builds commits that no webhook has announced,
 * and removes the jobs of branches and pull requests that are gone. Pull requests are only polled
 * where the API of the forge is configured, because git does not report which are open.
 */
async function pollRepositories(options: PollOptions): Promise<void> {
  const { jobs, logger, signal } = options;
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
        await poll(job, options);
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
): Promise<void> {
  const { jobs, revisions } = options;
  // What is opened while the repository responds may be missing from its response.
  const known = jobs.branchesOf(job.name);
  const heads = await headsOf(job, options);
  for (const { ref, pullRequest } of known) {
    if (pullRequest === null && !heads.has(ref)) {
      await revisions.close(job, { ref });
    }
  }
  const repository = repositoryName(job.source.repository);
  for (const [ref, after] of heads) {
    const found = { repository, ref, after, commits: [] };
    await buildUnseen(job, { source: found, isStrict: true }, options);
  }
}

/** Queries the repository of a job, or a fork of it, for the commits of its branches, by ref. */
function headsOf(
  { source }: SourcedJob,
  { secrets, git, path, signal }: PollOptions,
  { fork, ref }: { fork?: string; ref?: string } = {},
): Promise<Map<string, string>> {
  const { repository, credentials } = secrets.checkoutOf(source);
  return listHeads(
    {
      repository: fork === undefined ? repository : addressAt(repository, fork),
      credentials,
      knownHosts: source.credentials?.knownHosts,
      ...git,
    },
    { path, signal, ref },
  );
}

async function pollRequests(
  job: SourcedJob,
  options: PollOptions,
): Promise<void> {
  const { jobs, revisions, forges, signal } = options;
  for (const forge of forges) {
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
        await revisions.close(job, { pullRequest });
      }
    }
    const isOfFork = ({ source }: EventSource) =>
      source.pullRequest?.fork !== undefined;
    const own = open.requests.filter(listed => !isOfFork(listed));
    const heads = own.some(isShortened)
      ? await headsOf(job, options)
      : new Map<string, string>();
    for (const listed of own) {
      await buildListed(job, completed(listed, heads), options);
    }
    const forks = await unbuilt(job, open.requests.filter(isOfFork), options);
    // In random order, so that forks that never respond do not always keep others from their turn.
    const asked = forks.sort(() => Math.random() - 0.5).slice(0, MAX_FORKS);
    for (let from = 0; from < asked.length; from += FORKS_AT_ONCE) {
      const answers = await Promise.all(
        asked
          .slice(from, from + FORKS_AT_ONCE)
          .map(listed => completedByFork(job, listed, options)),
      );
      for (const found of answers) {
        await buildListed(job, found, options);
      }
    }
  }
}

async function buildListed(
  job: SourcedJob,
  found: EventSource,
  options: PollOptions,
): Promise<void> {
  tellRefused(job, found, options);
  await buildUnseen(job, found, options);
}

/** Returns the pull requests whose commit, as far as it is known, their job has not built. */
async function unbuilt(
  job: SourcedJob,
  listed: readonly EventSource[],
  { jobs, store }: PollOptions,
): Promise<EventSource[]> {
  const names = new Map(
    jobs
      .branchesOf(job.name)
      .map(({ pullRequest, name }) => [pullRequest, name]),
  );
  const found: EventSource[] = [];
  for (const one of listed) {
    const { pullRequest, after } = one.source;
    const name = names.get(pullRequest!.number);
    const isBuilt =
      name !== undefined &&
      after !== undefined &&
      (await store.findNewestOf(name, after)) !== undefined;
    if (!isBuilt) {
      found.push(one);
    }
  }
  return found;
}

/** Queries the fork of a pull request for its commit, if the job builds pull requests of forks. */
async function completedByFork(
  job: SourcedJob,
  found: EventSource,
  options: PollOptions,
): Promise<EventSource> {
  if (job.pipelines?.pullRequests !== 'all') {
    return found;
  }
  const { fork, branch } = found.source.pullRequest!;
  // A fork may have very many branches.
  const place = { fork, ref: `refs/heads/${branch}` };
  try {
    return completed(found, await headsOf(job, options, place));
  } catch {
    options.signal.throwIfAborted();
    return { ...found, fault: 'Its fork cannot be read' };
  }
}

/** Logs once that a pull request cannot be built, if the job would build it. */
function tellRefused(
  { name, pipelines }: SourcedJob,
  { source: { pullRequest }, fault }: EventSource,
  { logger, told }: PollOptions,
): void {
  const about = `${name}/PR-${pullRequest?.number}`;
  if (
    fault !== undefined &&
    pipelines?.pullRequests === 'all' &&
    !told.has(`${about}: ${fault}`)
  ) {
    told.add(`${about}: ${fault}`);
    logger.warn({ job: about }, `A pull request is not built: ${fault}`);
  }
}

/** Builds a commit of a branch or pull request, unless its job has built or skipped it. */
async function buildUnseen(
  job: SourcedJob,
  found: EventSource,
  { revisions, triggers, signal }: PollOptions,
): Promise<void> {
  const { source } = found;
  const { repository, ref, after } = source;
  if (faultOf(found) !== undefined) {
    return;
  }
  const target = await revisions.jobOf(job, found, {
    withinMs: MAX_READ_MS,
    signal,
    isPolled: true,
  });
  if ('reason' in target) {
    return;
  }
  await triggers.trigger({
    job: target,
    parameters: new Map(),
    source,
    cause: `Found by polling ${repository} ${ref}`,
    kind: 'webhook',
    triggeredBy: authorOf(found),
    // Other replicas find it too.
    delivery: `poll:${target.name}:${after}`,
  });
}
