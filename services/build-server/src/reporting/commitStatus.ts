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
};

/** Forges reject longer descriptions. */
const MAX_DESCRIPTION = 140;

/**
 * Returns the repository that an address names at a forge.
 *
 * @returns undefined if the address belongs to another forge.
 */
export function repositoryAt(
  { url }: Pick<ForgeOptions, 'url'>,
  address: string,
): string | undefined {
  const [forge, repository] = [URL.parse(url), URL.parse(address)];
  if (!forge || !repository || forge.host !== repository.host) {
    return undefined;
  }
  const base = forge.pathname.replace(/\/?$/, '/');
  const names = repository.pathname.slice(base.length).split('/');
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
    const ref = build.source?.pullRequest?.branch ?? branchOf(build);
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
  const path = repository.split('/').map(encodeURIComponent).join('/');
  return {
    url: `${apiOf(forge)}/repos/${path}/statuses/${sha}`,
    body: { state, context, description, target_url: page },
  };
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

function branchOf({ source }: Build): string | undefined {
  return source?.ref?.replace(/^refs\/(?:heads|tags)\//, '');
}
