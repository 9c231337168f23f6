import type { ForgeOptions } from '../config.ts';

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
  // Bitbucket Server serves git under a path prefix that is not part of the name.
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

/** Returns the address of a repository in the API of its forge. */
export function repositoryApi(forge: ForgeOptions, repository: string): string {
  const names = repository.split('/').map(encodeURIComponent);
  const [owner] = names;
  const rest = encodeURIComponent(repository.split('/').slice(1).join('/'));
  switch (forge.kind) {
    case 'gitlab':
      return `${apiOf(forge)}/projects/${encodeURIComponent(repository)}`;
    // Bitbucket's workspaces and projects have no subfolders.
    case 'bitbucket-cloud':
      return `${apiOf(forge)}/repositories/${owner}/${rest}`;
    case 'bitbucket-server':
      return `${apiOf(forge)}/projects/${owner}/repos/${rest}`;
    default:
      return `${apiOf(forge)}/repos/${names.join('/')}`;
  }
}
