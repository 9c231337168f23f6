import { hash } from 'node:crypto';
import type { Build } from '../builds/Build.ts';
import type { ForgeOptions } from '../config.ts';
import { repositoryApi } from './forgeApi.ts';

/** A commit of a repository at a forge. */
export interface ForgeCommit {
  /** Full name, e.g. `shop/payments-api`. */
  repository: string;
  sha: string;
}

type Outcome =
  'pending' | 'success' | 'failure' | 'unstable' | 'aborted' | 'skipped';

/** The check that a forge shows about the job of a commit. */
interface CommitCheck {
  outcome: Outcome;
  description: string;
  /** The address of the page with details. */
  page: string;
  /** The branch or tag that was built, by its short name. */
  branch?: string;
  /** The same as a ref; undefined if it is not in the job's repository. */
  ref?: string;
  /** Number of the build. */
  number?: number;
}

/**
 * The states of each forge's API. A skipped commit never counts as successful, because nothing was
 * checked. Gitea and Forgejo would treat `skipped` as success, so they get the same word as GitHub,
 * which has no other.
 */
const WORDS: Readonly<
  Record<ForgeOptions['kind'], Readonly<Record<Outcome, string>>>
> = {
  github: {
    pending: 'pending',
    success: 'success',
    failure: 'failure',
    unstable: 'failure',
    aborted: 'error',
    skipped: 'pending',
  },
  gitlab: {
    pending: 'running',
    success: 'success',
    failure: 'failed',
    unstable: 'failed',
    aborted: 'canceled',
    skipped: 'skipped',
  },
  gitea: {
    pending: 'pending',
    success: 'success',
    failure: 'failure',
    unstable: 'warning',
    aborted: 'error',
    skipped: 'pending',
  },
  forgejo: {
    pending: 'pending',
    success: 'success',
    failure: 'failure',
    unstable: 'warning',
    aborted: 'error',
    skipped: 'pending',
  },
  'bitbucket-cloud': {
    pending: 'INPROGRESS',
    success: 'SUCCESSFUL',
    failure: 'FAILED',
    unstable: 'FAILED',
    aborted: 'STOPPED',
    skipped: 'STOPPED',
  },
  'bitbucket-server': {
    pending: 'INPROGRESS',
    success: 'SUCCESSFUL',
    failure: 'FAILED',
    unstable: 'FAILED',
    aborted: 'CANCELLED',
    skipped: 'CANCELLED',
  },
};

/** Forges reject longer descriptions. */
const MAX_DESCRIPTION = 140;
/** Bitbucket rejects longer keys. */
const MAX_KEY = 40;

/**
 * Creates the status of a commit in the format of its forge.
 *
 * @param options.context - identical for every build of the job, otherwise forges show each as a
 * separate check.
 */
export function statusOf(
  forge: ForgeOptions,
  options: { commit: ForgeCommit; check: CommitCheck; context: string },
): { url: string; body: object } {
  const { commit, check, context } = options;
  const { page, branch, ref, number } = check;
  const state = WORDS[forge.kind][check.outcome];
  const description = check.description.slice(0, MAX_DESCRIPTION);
  const api = repositoryApi(forge, commit.repository);
  switch (forge.kind) {
    case 'gitlab': {
      return {
        url: `${api}/statuses/${commit.sha}`,
        body: {
          state,
          name: context,
          description,
          target_url: page,
          ...(branch !== undefined && { ref: branch }),
        },
      };
    }
    case 'bitbucket-cloud':
    case 'bitbucket-server': {
      const isCloud = forge.kind === 'bitbucket-cloud';
      return {
        url: isCloud
          ? `${api}/commit/${commit.sha}/statuses/build`
          : `${api}/commits/${commit.sha}/builds`,
        body: {
          key: keyOf(context),
          state,
          name: context,
          description,
          url: page,
          ...(isCloud
            ? { refname: ref && branchOf(ref) }
            : { ref, buildNumber: number?.toString() }),
        },
      };
    }
    default:
      return {
        url: `${api}/statuses/${commit.sha}`,
        body: { state, context, description, target_url: page },
      };
  }
}

/** Returns what a forge shows about a build. */
export function checkOf(build: Build, page: string): CommitCheck {
  const { ref, pullRequest } = build.source ?? {};
  return {
    outcome: outcomeOf(build),
    description: describe(build),
    page,
    branch: pullRequest?.branch ?? (ref && branchOf(ref)),
    ref: refOf(build),
    number: build.number,
  };
}

/**
 * Returns what a forge shows about a pull request that is not built because of its message.
 *
 * @param branch - its source branch, in the repository of the job.
 */
export function checkOfSkipped(
  branch: string | undefined,
  page: string,
): CommitCheck {
  return {
    outcome: 'skipped',
    description:
      'Not built: the commit message says [skip ci]. Push a commit without it, or run the job.',
    page,
    branch,
    ref: branch && `refs/heads/${branch}`,
  };
}

/** Returns a key of at most {@link MAX_KEY} characters, different for different contexts. */
function keyOf(context: string): string {
  const digest = hash('sha256', context).slice(0, 12);
  return context.length <= MAX_KEY
    ? context
    : `${context.slice(0, MAX_KEY - digest.length - 1)}-${digest}`;
}

/** Returns the branch or tag of a build in the job's own repository; undefined if that is unknown. */
function refOf({ source }: Build): string | undefined {
  const { ref, pullRequest } = source ?? {};
  if (!pullRequest) {
    return ref?.startsWith('refs/') ? ref : undefined;
  }
  return pullRequest.isFork ? undefined : `refs/heads/${pullRequest.branch}`;
}

function outcomeOf({ result }: Build): Outcome {
  switch (result) {
    case null:
      return 'pending';
    case 'SUCCESS':
      return 'success';
    case 'UNSTABLE':
      return 'unstable';
    case 'ABORTED':
      return 'aborted';
    default:
      return 'failure';
  }
}

function describe({ number, state, result, reason }: Build): string {
  if (state !== 'finished') {
    return `Build #${number} is ${state === 'queued' ? 'queued' : 'running'}`;
  }
  return reason ?? `Build #${number}: ${result}`;
}

function branchOf(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags)\//, '');
}
