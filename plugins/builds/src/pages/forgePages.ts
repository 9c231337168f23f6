/** The pages of a repository at its forge. */
interface ForgePages {
  /** Page of the repository. */
  page: string;
  /** Paths below it, to which a commit, a branch or a tag is added. */
  commit: string;
  branch: string;
  tag: string;
  /** Returns the path of the changes from one commit to another. */
  compare(from: string, to: string): string;
}

/**
 * Returns the page of a commit at its forge.
 *
 * @param repository - clone URL.
 * @returns undefined if the clone URL is not a web URL.
 */
export function commitUrl(
  repository: string | null | undefined,
  commit: string,
): string | undefined {
  const pages = pagesOf(repository);
  return pages && `${pages.page}${pages.commit}${encodeURIComponent(commit)}`;
}

/**
 * Returns the page with the changes from one commit to another at their forge.
 *
 * @returns undefined if the clone URL is not a web URL.
 */
export function compareUrl(
  repository: string | null | undefined,
  { from, to }: { from: string; to: string },
): string | undefined {
  const pages = pagesOf(repository);
  return (
    pages &&
    pages.page + pages.compare(encodeURIComponent(from), encodeURIComponent(to))
  );
}

/**
 * Returns the page of a branch or tag at its forge.
 *
 * @param ref - such as `refs/heads/main`.
 */
export function refUrl(
  repository: string | null | undefined,
  ref: string,
): string | undefined {
  const pages = pagesOf(repository);
  const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/.exec(ref) ?? [];
  if (!pages || name === undefined) {
    return undefined;
  }
  const path = name.split('/').map(encodeURIComponent).join('/');
  return `${pages.page}${kind === 'tags' ? pages.tag : pages.branch}${path}`;
}

/** Returns the clone URL of a fork at the same forge; without a fork, that of the repository. */
export function forkAt(
  repository: string | null | undefined,
  fork: string | undefined,
): string | null | undefined {
  return fork !== undefined && repository && URL.canParse(repository)
    ? new URL(`/${fork}.git`, repository).href
    : repository;
}

/**
 * Parses a clone URL. GitHub, GitLab, Gitea and Forgejo share their paths; both versions of
 * Bitbucket have others.
 */
function pagesOf(
  repository: string | null | undefined,
): ForgePages | undefined {
  if (!repository || !URL.canParse(repository)) {
    return undefined;
  }
  const { protocol, origin, hostname, pathname } = new URL(repository);
  if (protocol !== 'https:' && protocol !== 'http:') {
    return undefined;
  }
  const path = pathname.replace(/(?:\.git)?\/?$/, '');
  // Bitbucket Server serves git under a path prefix that its pages do not have.
  const [, base, project, name] =
    /^(.*)\/scm\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  if (project !== undefined) {
    return {
      page: `${origin}${base}/projects/${project}/repos/${name}`,
      commit: '/commits/',
      branch: '/commits?until=',
      tag: '/commits?until=',
      compare: (from, to) =>
        `/compare/commits?sourceBranch=${to}&targetBranch=${from}`,
    };
  }
  return {
    page: `${origin}${path}`,
    ...(hostname === 'bitbucket.org'
      ? {
          ...{ commit: '/commits/', branch: '/branch/', tag: '/src/' },
          compare: (from, to) => `/branches/compare/${to}..${from}`,
        }
      : {
          ...{ commit: '/commit/', branch: '/commits/', tag: '/commits/' },
          compare: (from, to) => `/compare/${from}...${to}`,
        }),
  };
}
