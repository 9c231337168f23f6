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

type Outcome = 'pending' | 'success' | 'failure' | 'unstable' | 'aborted';

const WORDS: Readonly<
  Record<ForgeOptions['kind'], Readonly<Record<Outcome, string>>>
> = {
  github: {
    pending: 'pending',
    success: 'success',
    failure: 'failure',
    unstable: 'failure',
    aborted: 'error',
  },
  gitlab: {
    pending: 'running',
    success: 'success',
    failure: 'failed',
    unstable: 'failed',
    aborted: 'canceled',
  },
  gitea: {
    pending: 'pending',
    success: 'success',
    failure: 'failure',
    unstable: 'warning',
    aborted: 'error',
  },
  forgejo: {
    pending: 'pending',
    success: 'success',
    failure: 'failure',
    unstable: 'warning',
    aborted: 'error',
  },
  'bitbucket-cloud': {
    pending: 'INPROGRESS',
    success: 'SUCCESSFUL',
    failure: 'FAILED',
    unstable: 'FAILED',
    aborted: 'STOPPED',
  },
  'bitbucket-server': {
    pending: 'INPROGRESS',
    success: 'SUCCESSFUL',
    failure: 'FAILED',
    unstable: 'FAILED',
    aborted: 'CANCELLED',
  },
};

/** Forges reject longer descriptions. */
const MAX_DESCRIPTION = 140;
/** Bitbucket rejects longer keys. */
const MAX_KEY = 40;

/**
 * Makes the status of a commit in the format of its forge.
 *
 * @param options.context - identical for every build of the job, otherwise forges show
 * each as a separate check.
 * @param options.page - where people see the build.
 */
export function statusOf(
  forge: ForgeOptions,
  options: { commit: ForgeCommit; build: Build; context: string; page: string },
): { url: string; body: object } {
  const { commit, build, context, page } = options;
  const state = WORDS[forge.kind][outcomeOf(build)];
  const description = describe(build).slice(0, MAX_DESCRIPTION);
  const api = repositoryApi(forge, commit.repository);
  const { ref, pullRequest } = build.source ?? {};
  switch (forge.kind) {
    case 'gitlab': {
      const branch = pullRequest?.branch ?? (ref && branchOf(ref));
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
      const own = refOf(build);
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
            ? { refname: own && branchOf(own) }
            : { ref: own, buildNumber: String(build.number) }),
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

/** Makes a key of at most {@link MAX_KEY} characters, different for different contexts. */
function keyOf(context: string): string {
  const digest = hash('sha256', context).slice(0, 12);
  return context.length <= MAX_KEY
    ? context
    : `${context.slice(0, MAX_KEY - digest.length - 1)}-${digest}`;
}

/** Returns the branch or tag of a build at its own repository; undefined if that is unknown. */
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
