import type { BuildSource } from '../builds/Build.ts';
import { matchesGlob } from '../jobs/globs.ts';
import type { BranchJob, Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BranchStore } from '../storage/BranchStore.ts';

/** Maximum number of branch and pull request jobs of one repository. */
const MAX_BRANCHES = 500;
const HEADS = 'refs/heads/';
/** Refs built by default: no pull requests, which may come from forks. */
const BRANCHES_AND_TAGS = ['refs/heads/**', 'refs/tags/**'];
/** Longer refs exceed the limits of file systems. */
const MAX_REF = 500;
/** Maximum length of a job name. */
const MAX_NAME = 300;

/** Dependencies of {@link Branches}. */
interface BranchOptions {
  catalog: JobCatalog;
  store: BranchStore;
  now: () => number;
}

/**
 * Manages a job for each branch and pull request of a repository with pipelines, from its
 * first event to its last.
 */
export class Branches {
  readonly #options: BranchOptions;

  constructor(options: BranchOptions) {
    this.#options = options;
  }

  /** Reloads the branches, including those added by other processes. */
  async refresh(): Promise<void> {
    const { catalog, store } = this.#options;
    catalog.replaceBranches(await store.list());
  }

  /**
   * Returns the job that builds a source: that of its branch or pull request, otherwise the job of
   * the file.
   *
   * @returns why there is none, if the job of the file does not build the source.
   */
  async open(
    parent: Job,
    source: BuildSource,
  ): Promise<Job | { reason: string }> {
    const { catalog, store, now } = this.#options;
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
    const isKnown = catalog.branchOf(branch.name) !== undefined;
    if (!isKnown && catalog.branchesOf(parent.name).length >= MAX_BRANCHES) {
      return { reason: `The job has more than ${MAX_BRANCHES} branches` };
    }
    // Another process may have removed it since the last refresh.
    if (!isKnown || !(await store.has(branch.name))) {
      await store.add(branch, now());
      await this.refresh();
    }
    const disabled = catalog.disabledReason(branch.name);
    if (disabled !== undefined) {
      return { reason: `The job ${disabled}` };
    }
    return catalog.find(branch.name) ?? { reason: 'The job was removed' };
  }

  /** Removes the job of a deleted branch or a closed pull request. */
  async close(
    parent: Job,
    gone: { ref?: string; pullRequest?: number },
  ): Promise<void> {
    const { store } = this.#options;
    const branch = branchOf(parent.name, gone);
    // The catalog may not yet contain a branch that another process has added.
    if (branch && (await store.has(branch.name))) {
      await store.remove(branch.name);
      await this.refresh();
    }
  }
}

/**
 * Returns the branch of a source. Tags are built by the job of the file; Jenkins does not
 * build them at all.
 */
function branchOf(
  parent: string,
  { ref, pullRequest }: { ref?: string; pullRequest?: number },
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
  // Without a ref, the job's own branch is built. With pipelines in the repository, they
  // decide which pull requests have a job.
  const isOwn = pipelines !== undefined && pullRequest !== undefined;
  const byDefault =
    source && ref !== undefined && !isOwn ? BRANCHES_AND_TAGS : undefined;
  const refs = webhook?.refs ?? byDefault;
  if (refs && !isAllowed(ref ?? '', refs)) {
    return `The job does not build ${ref?.slice(0, 100) || 'without a ref'}`;
  }
  return undefined;
}

function isAllowed(ref: string, globs: readonly string[]): boolean {
  return ref.length <= MAX_REF && globs.some(glob => matchesGlob(ref, glob));
}
