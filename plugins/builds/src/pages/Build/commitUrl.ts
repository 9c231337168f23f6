/**
 * Where a forge shows a commit: GitHub, GitLab, Gitea and Forgejo all do so there.
 *
 * @param repository - the address that is cloned.
 * @returns undefined where that is no address of the web.
 */
export function commitUrl(
  repository: string | null | undefined,
  commit: string,
): string | undefined {
  if (!repository || !URL.canParse(repository)) {
    return undefined;
  }
  const { protocol, origin, pathname } = new URL(repository);
  return protocol === 'https:' || protocol === 'http:'
    ? `${origin}${pathname.replace(
        /(?:\.git)?\/?$/,
        '',
      )}/commit/${encodeURIComponent(commit)}`
    : undefined;
}
