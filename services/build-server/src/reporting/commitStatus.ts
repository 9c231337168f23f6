import { hash } from 'node:crypto';
import type { Build } from '../builds/Build.ts';
import type { ForgeOptions } from '../config.ts';

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
 * Returns the repository that an address names at a forge.
 *
 * @returns undefined if the address belongs to another forge.
 */
export function repositoryAt(
  { url, kind }: Pick<ForgeOptions, 'url'> & Partial<ForgeOptions>,
  address: string,
): string | undefined {
  const [forge, repository] = [URL.parse(url), URL.parse(address)];
  if (!forge || !repository || forge.host !== repository.host) {
    return undefined;
  }
  const base = forge.pathname.replace(/\/?$/, '/');
  const path = repository.pathname.slice(base.length);
  // Bitbucket Server serves git below a folder that is not part of the name.
  const names = (
    kind === 'bitbucket-server' ? path.replace(/^\/*scm\//, '') : path
  ).split('/');
  return repository.pathname.startsWith(base)
    ? names
        .filter(Boolean)
        .join('/')
        .replace(/\.git$/, '')
    : undefined;
}

/** Returns the headers that authenticate at a forge. */
export function credentialsOf({
  kind,
  token,
}: ForgeOptions): Record<string, string> {
  switch (kind) {
    case 'github':
      return {
        Authorization: `Bearer ${token}`,
        Accept: 'application/vnd.github+json',
        'X-GitHub-Api-Version': '2022-11-28',
      };
    case 'gitlab':
      return { 'PRIVATE-TOKEN': token };
    case 'bitbucket-cloud':
    case 'bitbucket-server':
      return { Authorization: `Bearer ${token}` };
    default:
      return { Authorization: `token ${token}` };
  }
}

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
  const { repository, sha } = commit;
  const state = WORDS[forge.kind][outcomeOf(build)];
  const description = describe(build).slice(0, MAX_DESCRIPTION);
  if (forge.kind === 'gitlab') {
    const project = encodeURIComponent(repository);
    const ref =
      build.source?.pullRequest?.branch ??
      (build.source?.ref && branchOf(build.source.ref));
    return {
      url: `${apiOf(forge)}/projects/${project}/statuses/${sha}`,
      body: {
        state,
        name: context,
        description,
        target_url: page,
        ...(ref !== undefined && { ref }),
      },
    };
  }
  if (isBitbucket(forge)) {
    const isCloud = forge.kind === 'bitbucket-cloud';
    const ref = refOf(build);
    return {
      url: isCloud
        ? `${bitbucketRepository(forge, repository)}/commit/${sha}/statuses/build`
        : `${bitbucketRepository(forge, repository)}/commits/${sha}/builds`,
      body: {
        key: keyOf(context),
        state,
        name: context,
        description,
        url: page,
        ...(isCloud
          ? { refname: ref && branchOf(ref) }
          : { ref, buildNumber: String(build.number) }),
      },
    };
  }
  const path = repository.split('/').map(encodeURIComponent).join('/');
  return {
    url: `${apiOf(forge)}/repos/${path}/statuses/${sha}`,
    body: { state, context, description, target_url: page },
  };
}

/** Checks whether a forge is one of the kinds of Bitbucket. */
export function isBitbucket({ kind }: Pick<ForgeOptions, 'kind'>): boolean {
  return kind === 'bitbucket-cloud' || kind === 'bitbucket-server';
}

/** Returns the API address of a repository at Bitbucket, which starts with its workspace or project. */
export function bitbucketRepository(
  forge: ForgeOptions,
  repository: string,
): string {
  const [owner, ...rest] = repository.split('/');
  const [first, second] = [owner, rest.join('/')].map(encodeURIComponent);
  return forge.kind === 'bitbucket-cloud'
    ? `${apiOf(forge)}/repositories/${first}/${second}`
    : `${apiOf(forge)}/projects/${first}/repos/${second}`;
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

/** Returns the address of a forge's API. */
export function apiOf({ kind, url, apiUrl }: ForgeOptions): string {
  if (apiUrl !== undefined) {
    return apiUrl;
  }
  switch (kind) {
    case 'github':
      return url === 'https://github.com'
        ? 'https://api.github.com'
        : `${url}/api/v3`;
    case 'gitlab':
      return `${url}/api/v4`;
    case 'bitbucket-cloud':
      return 'https://api.bitbucket.org/2.0';
    case 'bitbucket-server':
      return `${url}/rest/api/latest`;
    default:
      return `${url}/api/v1`;
  }
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
