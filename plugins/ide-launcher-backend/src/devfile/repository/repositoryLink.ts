import { decodeSegment } from '../address';

/** The kinds of forge, which differ in their URLs; named like Backstage's integrations. */
export const FORGE_KINDS = [
  'github',
  'gitlab',
  'gitea',
  'bitbucketCloud',
  'bitbucketServer',
  'azure',
] as const;

/** One of {@link FORGE_KINDS}. */
export type ForgeKind = (typeof FORGE_KINDS)[number];

/** A repository, as named by the address of its page or of one of its branches. */
export interface RepositoryLink {
  /** Undefined if the address does not reveal it; it may then not be a repository at all. */
  forge: ForgeKind | undefined;
  /** Address to clone it from. */
  remote: URL;
  /** Address of its page, without a trailing slash. */
  page: string;
  name: string;
  /**
   * The part of the address after the repository: a branch, tag or commit, or a branch and a folder
   * in it, because a branch may contain slashes. Undefined for the default branch.
   */
  ref: string | undefined;
}

/** A branch, tag or commit in the address of a file. */
export interface FileRef {
  type: 'branch' | 'tag' | 'commit';
  name: string;
}

/** Public forges by host. */
const KNOWN_HOSTS: ReadonlyMap<string, ForgeKind> = new Map([
  ['github.com', 'github'],
  ['gitlab.com', 'gitlab'],
  ['bitbucket.org', 'bitbucketCloud'],
  ['dev.azure.com', 'azure'],
  ['codeberg.org', 'gitea'],
]);

/** The host from which GitHub serves the content of files. */
const GITHUB_RAW_HOST = 'raw.githubusercontent.com';

/** On GitLab, separates the path of a project from the path within it. */
const GITLAB_SEPARATOR = '/-/';

/** Paths that only one kind of forge has. GitLab's begins after the separator. */
const GITLAB_REF = /^(?:tree|commits?|tags)\/(?<ref>.+)$/;
const GITEA_REF =
  /^(?<path>\/[^/]+\/[^/]+)\/src\/(?:branch|tag|commit)\/(?<ref>.+)$/;
const BITBUCKET_SERVER =
  /^(?<base>.*)\/(?<kind>projects|users)\/(?<project>[^/]+)\/repos\/(?<name>[^/]+)(?:\/browse)?$/;
const BITBUCKET_SERVER_REMOTE =
  /^(?<base>.*)\/scm\/(?<project>[^/]+)\/(?<name>[^/]+?)(?:\.git)?$/;
const AZURE = /^(?<path>\/.+\/_git\/(?<name>[^/]+))$/;

/** Paths of branches, tags and commits, for forges whose kind is already known. */
const REF_PATHS: Readonly<Partial<Record<ForgeKind, RegExp>>> = {
  github:
    /^(?<path>\/[^/]+\/[^/]+)\/(?:tree|commits?|releases\/tag)\/(?:refs\/(?:heads|tags)\/)?(?<ref>.+)$/,
  gitea: /^(?<path>\/[^/]+\/[^/]+)\/(?:commit|releases\/tag)\/(?<ref>.+)$/,
  bitbucketCloud:
    /^(?<path>\/[^/]+\/[^/]+)\/(?:src|branch|commits)\/(?<ref>.+)$/,
};

/** Paths of repositories. On known forges other than GitLab, which nests groups, they have two parts. */
const TWO_PARTS = /^(?<path>\/[^/]+\/[^/]+)$/;
const MORE_PARTS = /^(?<path>(?:\/[^/]+){2,})$/;
const ANY_PARTS = /^(?<path>(?:\/[^/]+)+)$/;

/** Matches paths of files on any forge. */
const FILE_PATH = /\.ya?ml$|\/(?:blob|raw)\/./i;

/**
 * Parses the address of a repository, or of a branch, tag or commit in it; returns undefined for a file,
 * and for any other page of a known forge.
 *
 * @param forge - The kind of forge at the host, if known.
 */
export function parseRepositoryLink(
  url: URL,
  forge: ForgeKind | undefined = KNOWN_HOSTS.get(url.host),
): RepositoryLink | undefined {
  const path = url.pathname.replace(/(?<!\/)\/+$/, '');
  if (FILE_PATH.test(path) || url.host === GITHUB_RAW_HOST) {
    return undefined;
  }
  const server =
    BITBUCKET_SERVER.exec(path)?.groups ??
    BITBUCKET_SERVER_REMOTE.exec(path)?.groups;
  if (server && (!forge || forge === 'bitbucketServer')) {
    return bitbucketServerLink(url, server);
  }
  const azure = AZURE.exec(path)?.groups;
  if (azure && (!forge || forge === 'azure')) {
    const file = url.searchParams.get('path') ?? '/';
    return /\.ya?ml$/i.test(file) ? undefined : azureLink(url, azure);
  }
  if (forge === 'azure' || forge === 'bitbucketServer') {
    return undefined;
  }
  const separator = path.indexOf(GITLAB_SEPARATOR);
  if (separator > 0) {
    const rest = path.slice(separator + GITLAB_SEPARATOR.length);
    const ref = GITLAB_REF.exec(rest)?.groups?.ref;
    const place = { path: path.slice(0, separator), ref };
    return ref === undefined
      ? undefined
      : pathLink(url, place, forge ?? 'gitlab');
  }
  const gitea = !forge || forge === 'gitea' ? GITEA_REF.exec(path) : null;
  if (gitea) {
    return pathLink(url, gitea.groups, 'gitea');
  }
  const place =
    (forge && REF_PATHS[forge]?.exec(path)) ?? partsOf(forge).exec(path);
  return pathLink(url, place?.groups, forge);
}

function partsOf(forge: ForgeKind | undefined): RegExp {
  if (forge === 'gitlab') {
    return MORE_PARTS;
  }
  return forge ? TWO_PARTS : ANY_PARTS;
}

function pathLink(
  { origin }: URL,
  { path, ref }: { path?: string; ref?: string } = {},
  forge: ForgeKind | undefined,
): RepositoryLink | undefined {
  if (path === undefined) {
    return undefined;
  }
  const bare = path.replace(/\.git$/, '');
  return {
    forge,
    // On a server of unknown kind, `.git` may make a difference.
    remote: new URL(origin + (forge ? `${bare}.git` : path)),
    page: origin + bare,
    name: decodeSegment(bare.split('/').at(-1) ?? ''),
    ref: ref === undefined ? undefined : decodeSegment(ref),
  };
}

function bitbucketServerLink(
  { origin, searchParams }: URL,
  { base, kind = 'projects', name, project }: Record<string, string>,
): RepositoryLink {
  const isUser = kind === 'users' || project.startsWith('~');
  const key = project.replace(/^~/, '');
  return {
    forge: 'bitbucketServer',
    remote: new URL(
      `${origin}${base}/scm/${isUser ? '~' : ''}${key.toLowerCase()}/${name}.git`,
    ),
    page: `${origin}${base}/${isUser ? 'users' : 'projects'}/${key}/repos/${name}`,
    name: decodeSegment(name),
    ref: searchParams.get('at')?.replace(/^refs\/(heads|tags)\//, ''),
  };
}

function azureLink(
  { origin, searchParams }: URL,
  { name, path }: Record<string, string>,
): RepositoryLink {
  return {
    forge: 'azure',
    remote: new URL(origin + path),
    page: origin + path,
    name: decodeSegment(name),
    // Prefixed by its type: GBmain is the branch main.
    ref: searchParams.get('version')?.replace(/^G[BTC]/, ''),
  };
}

/**
 * Returns the address of a file in the root of a repository.
 *
 * @param ref - Undefined for the default branch.
 * @param isRaw - True for the URL of the file's content; otherwise the URL of its page, which
 * Backstage's readers expect.
 */
export function fileAddress(
  { page }: Pick<RepositoryLink, 'page'>,
  file: string,
  options: { forge: ForgeKind; ref: FileRef | undefined; isRaw: boolean },
): URL {
  const { forge, isRaw, ref } = options;
  // Encodes slashes too, which would otherwise separate folders.
  const name = encodeURIComponent(ref?.name ?? 'HEAD');
  switch (forge) {
    case 'github':
      return new URL(`${page}/${isRaw ? 'raw' : 'blob'}/${name}/${file}`);
    case 'gitlab':
      return new URL(`${page}/-/${isRaw ? 'raw' : 'blob'}/${name}/${file}`);
    case 'gitea':
      return new URL(
        `${page}/${isRaw ? 'raw' : 'src'}/${ref?.type ?? 'branch'}/${name}/${file}`,
      );
    case 'bitbucketCloud':
      return new URL(`${page}/${isRaw ? 'raw' : 'src'}/${name}/${file}`);
    case 'bitbucketServer': {
      const url = new URL(`${page}/${isRaw ? 'raw' : 'browse'}/${file}`);
      if (ref) {
        url.searchParams.set('at', bitbucketRef(ref));
      }
      return url;
    }
    case 'azure': {
      const url = new URL(page);
      url.searchParams.set('path', `/${file}`);
      if (ref) {
        url.searchParams.set('version', azureRef(ref));
      }
      return url;
    }
    default:
      return forge satisfies never;
  }
}

function bitbucketRef({ name, type }: FileRef): string {
  return type === 'commit'
    ? name
    : `refs/${type === 'tag' ? 'tags' : 'heads'}/${name}`;
}

function azureRef({ name, type }: FileRef): string {
  return { branch: 'GB', tag: 'GT', commit: 'GC' }[type] + name;
}
