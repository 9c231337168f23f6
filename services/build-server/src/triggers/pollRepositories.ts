import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isRef } from '../execution/checkOut.ts';
import {
  GIT,
  type GitAccess,
  gitEnvironment,
} from '../execution/gitEnvironment.ts';
import type { GitOptions } from '../execution/PlacedBuild.ts';
import type { Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { repositoryName } from '../jobs/repository.ts';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import type { Branches } from './Branches.ts';
import type { BuildTriggers } from './BuildTriggers.ts';
import { ignoredFor } from './WebhookIntake.ts';

const TIMEOUT_MS = 30_000;
/** A repository may have very many branches, each with a line of its own. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const HEAD = /^([0-9a-f]{40}|[0-9a-f]{64})\t(refs\/heads\/.+)$/;

type SourcedJob = Job & { source: NonNullable<Job['source']> };

interface PollOptions {
  jobs: JobCatalog;
  branches: Branches;
  store: Pick<BuildStore, 'findNewestOf'>;
  triggers: BuildTriggers;
  secrets: StepSecrets;
  git: GitOptions;
  /** PATH of git. */
  path: string;
  logger: { warn(details: object, message: string): void };
}

/**
 * Looks into the repositories of all jobs with pipelines: commits that no webhook has announced
 * are built, and the jobs of branches that are gone are removed. Pull requests are not polled,
 * because git does not tell which of them are open.
 */
export async function pollRepositories(
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
    try {
      await poll(job, options, signal);
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      logger.warn({ err: error, job: job.name }, 'A repository was not polled');
    }
  }
}

async function poll(
  job: SourcedJob,
  options: PollOptions,
  signal: AbortSignal,
): Promise<void> {
  const { jobs, branches, store, triggers, secrets, git, path } = options;
  const { source } = job;
  const heads = await listHeads(
    {
      ...secrets.checkoutOf(source),
      knownHosts: source.credentials?.knownHosts,
      ...git,
    },
    { path, signal },
  );
  for (const { ref, pullRequest } of jobs.branchesOf(job.name)) {
    if (pullRequest === null && !heads.has(ref)) {
      await branches.close(job, { ref });
    }
  }
  const repository = repositoryName(source.repository);
  for (const [ref, after] of heads) {
    const found = { repository, ref, after, commits: [] };
    const target =
      ignoredFor(job, found) === undefined && (await branches.open(job, found));
    if (!target || 'reason' in target) {
      continue;
    }
    // Its webhook has arrived, or an earlier poll has found it.
    if (await store.findNewestOf(target.name, after)) {
      continue;
    }
    await triggers.trigger({
      job: target,
      parameters: new Map(),
      source: found,
      cause: `Found by polling ${repository} ${ref}`,
      kind: 'webhook',
      // Other replicas find it, too.
      delivery: `poll:${target.name}:${after}`,
    });
  }
}

/** Asks a repository for its branches. @returns their commits, by ref. */
async function listHeads(
  access: GitAccess,
  { path, signal }: { path: string; signal: AbortSignal },
): Promise<Map<string, string>> {
  const [program, ...settings] = GIT;
  const { stdout } = await promisify(execFile)(
    program,
    [...settings, 'ls-remote', '--heads', '--', access.repository],
    {
      // Not inside of a repository, whose configuration would apply.
      cwd: '/',
      env: { PATH: path, ...gitEnvironment(access, { withCredentials: true }) },
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_ANSWER_BYTES,
      signal,
    },
  );
  return new Map(
    stdout.split('\n').flatMap(line => {
      const [, commit, ref = ''] = HEAD.exec(line) ?? [];
      return isRef(ref) ? [[ref, commit]] : [];
    }),
  );
}
