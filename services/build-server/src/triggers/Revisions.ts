import type { BuildSource } from '../builds/Build.ts';
import type { GitOptions } from '../execution/PlacedBuild.ts';
import { matchesGlob } from '../jobs/globs.ts';
import type { BranchJob, Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { isCommit, isRef } from '../jobs/repository.ts';
import type { TellSkipped } from '../reporting/tellForges.ts';
import type { StepSecrets } from '../secrets/StepSecrets.ts';
import type { BranchStore } from '../storage/BranchStore.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import type { SkipStore } from '../storage/SkipStore.ts';
import {
  type EventSource,
  type Gone,
  type Head,
  headOf,
} from './eventReading.ts';
import { readHead } from './serverGit.ts';

/** Maximum number of branch and pull request jobs of one repository. */
const MAX_BRANCHES = 500;
const HEADS = 'refs/heads/';
/** Refs built by default: no pull requests, which may come from forks. */
const BRANCHES_AND_TAGS = ['refs/heads/**', 'refs/tags/**'];
/** Longer refs exceed the limits of file systems. */
const MAX_REF = 500;
/** Maximum length of a job name. */
const MAX_NAME = 300;
/** Maximum number of cached messages; they are cached because jobs of one repository share them. */
const MAX_REMEMBERED = 500;

/** Dependencies of {@link Revisions}. */
interface RevisionOptions {
  jobs: JobCatalog;
  branches: Pick<BranchStore, 'add' | 'has' | 'list' | 'remove'>;
  builds: Pick<BuildStore, 'findNewestOf'>;
  skips: Pick<SkipStore, 'find' | 'record'>;
  secrets: Pick<StepSecrets, 'checkoutOf'>;
  git: GitOptions;
  /** The PATH for git. */
  path: string;
  now: () => number;
  /** Called in the transaction that records a commit that is not built. */
  tellSkipped?: TellSkipped;
}

/** How to find the job of a revision. */
interface Search {
  /** Maximum milliseconds to read the commit message, including the wait for other reads. */
  withinMs: number;
  signal?: AbortSignal;
  /**
   * True if polling found the revision. It is not built if its job has already built it, for example
   * because a webhook arrived first, or if its ref has moved: the next poll finds the newer commit.
   */
  isPolled?: boolean;
}

/**
 * Chooses the job that builds a revision. If a repository contains pipelines, each of its branches and
 * pull requests has its own job, from its first event until it is deleted or closed. Commits whose
 * message contains `[skip ci]` are recorded instead of built.
 */
export class Revisions {
  readonly #options: RevisionOptions;
  /** Cache of commit messages, which never change, by repository and commit; oldest first. */
  readonly #read = new Map<string, Head>();

  constructor(options: RevisionOptions) {
    this.#options = options;
  }

  /** Reloads the branches with jobs of their own, including those added by other processes. */
  async refresh(): Promise<void> {
    const { jobs, branches } = this.#options;
    jobs.replaceBranches(await branches.list());
  }

  /**
   * Returns the job that builds a revision: the job of its branch or pull request, otherwise the one
   * with the file.
   *
   * @param parent - the job with the file.
   * @returns the reason if no job builds the revision.
   */
  async jobOf(
    parent: Job,
    found: EventSource,
    search: Search,
  ): Promise<Job | { reason: string }> {
    const { source } = found;
    const job = await this.#open(parent, source);
    if ('reason' in job) {
      return job;
    }
    const { builds } = this.#options;
    const { isPolled = false } = search;
    if (isPolled && (await builds.findNewestOf(job.name, source.after!))) {
      return { reason: 'The commit was built' };
    }
    switch (await this.#decide(found, { parent, job, search })) {
      case 'skip':
        return {
          reason: `Skipped: the message of ${source.after?.slice(0, 10) ?? 'the commit'} says [skip ci]`,
        };
      case 'moved':
        return isPolled ? { reason: 'The ref has a newer commit' } : job;
      default:
        return job;
    }
  }

  /** Removes the job of a deleted branch or a closed pull request. */
  async close(parent: Job, gone: Gone): Promise<void> {
    const { branches } = this.#options;
    const branch = branchOf(parent.name, gone);
    // The catalog may not yet contain a branch that another process has added.
    if (branch && (await branches.has(branch.name))) {
      await branches.remove(branch.name);
      await this.refresh();
    }
  }

  /** Returns the job of a source; adds it at the first event of its branch. */
  async #open(
    parent: Job,
    source: BuildSource,
  ): Promise<Job | { reason: string }> {
    const { jobs, branches, now } = this.#options;
    const ignored = ignoredFor(parent, source);
    if (ignored !== undefined) {
      return { reason: ignored };
    }
    const branch = branchOf(parent.name, {
      ref: source.ref,
      pullRequest: source.pullRequest?.number,
    });
    if (!parent.pipelines || !branch) {
      return parent;
    }
    const { pullRequests = 'own' } = parent.pipelines;
    if (source.pullRequest && pullRequests === 'none') {
      return { reason: 'The job does not build pull requests' };
    }
    if (source.pullRequest?.isFork && pullRequests !== 'all') {
      return { reason: 'The job does not build pull requests of forks' };
    }
    if (branch.name.length > MAX_NAME) {
      return { reason: 'The name of the branch is too long' };
    }
    const isKnown = jobs.branchOf(branch.name) !== undefined;
    if (!isKnown && jobs.branchesOf(parent.name).length >= MAX_BRANCHES) {
      return { reason: `The job has more than ${MAX_BRANCHES} branches` };
    }
    // Another process may have removed it since the last refresh.
    if (!isKnown || !(await branches.has(branch.name))) {
      await branches.add(branch, now());
      await this.refresh();
    }
    const disabled = jobs.disabledReason(branch.name);
    if (disabled !== undefined) {
      return { reason: `The job ${disabled}` };
    }
    return jobs.find(branch.name) ?? { reason: 'The job was removed' };
  }

  /**
   * Decides whether to build a commit, and records it if it is skipped. Only the message of the head
   * commit of a push or pull request counts. If the event does not contain it, it is read from the
   * repository; if that fails, the commit is built. Tags are always built, and so are pull requests
   * from forks: their authors must not decide whether they are checked.
   *
   * @returns `moved` if the ref already has a newer commit, so that the message cannot be read.
   */
  async #decide(
    found: EventSource,
    { parent, job, search }: { parent: Job; job: Job; search: Search },
  ): Promise<'build' | 'skip' | 'moved'> {
    const { skips, now, tellSkipped } = this.#options;
    const { source } = found;
    const { after, ref, pullRequest } = source;
    if (ref?.startsWith('refs/tags/') || pullRequest?.isFork) {
      return 'build';
    }
    let { head } = found;
    if (head === undefined && found.isStrict && after !== undefined) {
      if ((await skips.find(job.name))?.commit === after) {
        return 'skip';
      }
      const read = await this.#readHead(source, parent, search);
      if (read === 'moved') {
        return read;
      }
      head = read;
    }
    if (!head?.isSkipped) {
      return 'build';
    }
    const push = {
      commit: after ?? null,
      title: head.title,
      ref: ref ?? null,
      at: now(),
      pullRequest,
    };
    await skips.record(job.name, push, async trx =>
      tellSkipped?.(trx, { job: job.name, source }),
    );
    return 'skip';
  }

  /** Reads the head of a ref; undefined if it cannot be read. */
  async #readHead(
    { ref = '', after }: BuildSource,
    { source }: Job,
    { withinMs, signal }: Search,
  ): Promise<Head | 'moved' | undefined> {
    const { secrets, git, path } = this.#options;
    if (!source || !isRef(ref) || !isCommit(after)) {
      return undefined;
    }
    const key = `${source.repository} ${after}`;
    const known = this.#read.get(key);
    if (known || withinMs <= 0) {
      return known;
    }
    const { knownHosts } = source.credentials ?? {};
    try {
      const { commit, message } = await readHead(
        { ...secrets.checkoutOf(source), knownHosts, ...git },
        { ref, path, withinMs, signal },
      );
      const head = headOf(message);
      if (commit !== after || !head) {
        return 'moved';
      }
      const [oldest] = this.#read.keys();
      if (oldest !== undefined && this.#read.size >= MAX_REMEMBERED) {
        this.#read.delete(oldest);
      }
      this.#read.set(key, head);
      return head;
    } catch {
      signal?.throwIfAborted();
      return undefined;
    }
  }
}

/**
 * Returns the branch of a source; undefined for tags, which the job with the file builds. (Jenkins
 * does not build tags at all.)
 */
function branchOf(
  parent: string,
  { ref, pullRequest }: Gone,
): BranchJob | undefined {
  if (pullRequest !== undefined) {
    const name = `${parent}/PR-${pullRequest}`;
    return { name, parent, ref: ref ?? '', pullRequest };
  }
  if (!ref?.startsWith(HEADS)) {
    return undefined;
  }
  const branch = ref.slice(HEADS.length);
  // A branch may have the same name as a pull request's job.
  const own = /^PR-\d+$/.test(branch) ? `heads/${branch}` : branch;
  return { name: `${parent}/${own}`, parent, ref, pullRequest: null };
}

/** Returns why a job does not build a source; undefined if it does. */
function ignoredFor(
  { webhook, source, pipelines }: Job,
  { ref, pullRequest }: BuildSource,
): string | undefined {
  // Without a ref, the job builds its own branch. If the repository contains pipelines, these decide
  // which pull requests have a job.
  const isOwn = pipelines !== undefined && pullRequest !== undefined;
  const byDefault =
    source && ref !== undefined && !isOwn ? BRANCHES_AND_TAGS : undefined;
  const refs = webhook?.refs ?? byDefault;
  const isBuilt = (name: string) =>
    name.length <= MAX_REF && refs!.some(glob => matchesGlob(name, glob));
  return refs && !isBuilt(ref ?? '')
    ? `The job does not build ${ref?.slice(0, 100) || 'without a ref'}`
    : undefined;
}
