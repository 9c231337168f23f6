import { InputError } from '@backstage/errors';
import { GIT_REVISION } from './chooseProjects';
import { RawDevfile, RawProject } from './schema/devfile';

/**
 * Parses the URL of a devfile. Accepts only https, and no user information: a password in a URL
 * ends up in logs and in the database.
 *
 * @param text - The URL from the caller.
 * @param field - The name of its field in messages.
 * @param base - The base of relative URLs.
 * @throws InputError if the URL must not be read.
 */
export function parseDevfileUrl(
  text: string,
  field = 'devfileUrl',
  base?: URL,
): URL {
  if (!URL.canParse(text, base)) {
    throw new InputError(`${field} must be an https URL`);
  }
  const url = new URL(text, base);
  if (url.protocol !== 'https:') {
    throw new InputError(`${field} must be an https URL`);
  }
  if (url.username || url.password) {
    throw new InputError(`${field} must not contain a user name or password`);
  }
  url.hash = '';
  return url;
}

/** Formats a URL for messages. The query is omitted because it may contain a token. */
export function displayUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

const MAX_NAME_LENGTH = 63;
/** The name of a devfile if no part of its URL yields one. */
const FALLBACK_NAME = 'workspace';

/**
 * Matches parts of a URL that do not name the project: file names, common branches, and the routes of
 * git hosts.
 */
const HOSTING_SEGMENTS =
  /^(\.?devfiles?|main|master|trunk|develop|head|heads|refs|raw|blob|src|branch|tree|contents|-|v?\d+(\.\d+)*)$/i;

/** Converts a name to a DNS label that begins with a letter; empty if nothing is left. */
export function sanitiseName(
  text: string,
  maxLength = MAX_NAME_LENGTH,
): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, maxLength)
    .replace(/-$/, '');
}

/**
 * Derives the name of an unnamed devfile from its URL: the file's own name if that is
 * meaningful, otherwise that of its folder or repository, otherwise the host.
 */
export function nameFromUrl(url: URL): string {
  const segments = url.pathname.split('/').filter(Boolean).map(decodeSegment);
  const [file, ...folders] = segments.reverse();
  const candidates = [file?.replace(/\.ya?ml$/i, '') ?? '', ...folders];
  const chosen = candidates.find(
    candidate => !HOSTING_SEGMENTS.test(candidate) && sanitiseName(candidate),
  );
  return (
    sanitiseName(chosen ?? '') || sanitiseName(url.hostname) || FALLBACK_NAME
  );
}

/** Decodes a part of a URL's path; returns it as it is if its encoding is invalid. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A repository on a forge, as named in an address. */
export interface SourceRepository {
  /** Address to clone it from. */
  remote: string;
  name: string;
  /** Branch, tag or commit; undefined for the default branch. */
  revision: string | undefined;
}

/**
 * The paths at which forges show a file or serve its content, with the path of its repository
 * (`path`), its branch, tag or commit (`ref`), and the file. A slash in a branch looks like that of a
 * folder, so only the part before it is found.
 */
const FILE_PATHS: readonly RegExp[] = [
  // GitLab.
  /^\/(?<path>.+)\/-\/(?:blob|raw)\/(?<ref>[^/]+)\/./,
  // Gitea and Forgejo.
  /^\/(?<path>[^/]+\/[^/]+)\/(?:src|raw)\/(?:branch|tag|commit)\/(?<ref>[^/]+)\/./,
  // GitHub.
  /^\/(?<path>[^/]+\/[^/]+)\/(?:blob|raw)\/(?:refs\/(?:heads|tags)\/)?(?<ref>[^/]+)\/./,
];

/** The path of a file in Bitbucket Cloud; on other servers, such a path may be a different page. */
const BITBUCKET_CLOUD =
  /^\/(?<path>[^/]+\/[^/]+)\/(?:src|raw)\/(?<ref>[^/]+)\/./;

/** The path of a file in Bitbucket Data Center, which names the branch in the query. */
const BITBUCKET_SERVER =
  /^(?<base>.*)\/projects\/(?<project>[^/]+)\/repos\/(?<name>[^/]+)\/(?:browse|raw)\/./;

/** The path of a repository in Azure DevOps, which names file and branch in the query. */
const AZURE = /^(?<path>\/.+\/_git\/[^/]+)\/?$/;

/** The host from which GitHub serves the content of files: `/<owner>/<repository>/<ref>/<file>`. */
const GITHUB_RAW_HOST = 'raw.githubusercontent.com';
const GITHUB_RAW =
  /^\/(?<path>[^/]+\/[^/]+)\/(?:refs\/(?:heads|tags)\/)?(?<ref>[^/]+)\/./;

/**
 * Returns a devfile with its own repository as its project if it names neither projects nor starter
 * projects: as in Eclipse Che, such a devfile describes how to work on the repository it is in.
 *
 * @param url - Address of the devfile; if it is not a file on a known type of forge, the devfile is
 * returned unchanged.
 */
export function withSourceProject<T extends Omit<RawDevfile, 'parent'>>(
  devfile: T,
  url: URL,
): T {
  const named = [
    ...(devfile.projects ?? []),
    ...(devfile.starterProjects ?? []),
  ];
  const source = named.length === 0 ? repositoryOf(url) : undefined;
  return source ? { ...devfile, projects: [toProject(source)] } : devfile;
}

/** Returns the project of a repository. */
export function toProject({
  name,
  remote,
  revision,
}: SourceRepository): RawProject {
  return {
    name: sanitiseName(name) || 'project',
    git: {
      remotes: { origin: remote },
      ...(revision !== undefined && { checkoutFrom: { revision } }),
    },
  };
}

/** Returns the repository of a file by its address; undefined if no known forge has such addresses. */
function repositoryOf(url: URL): SourceRepository | undefined {
  const { host, origin, pathname, searchParams } = url;
  if (host === GITHUB_RAW_HOST) {
    return toRepository('https://github.com', GITHUB_RAW.exec(pathname));
  }
  const server = BITBUCKET_SERVER.exec(pathname)?.groups;
  if (server) {
    const { base, name, project } = server;
    return {
      remote: `${origin}${base}/scm/${project.toLowerCase()}/${name}.git`,
      name: decodeSegment(name),
      revision: revisionIn(searchParams.get('at')?.replace(/^refs\/\w+\//, '')),
    };
  }
  const azure = AZURE.exec(pathname)?.groups;
  if (azure && searchParams.has('path')) {
    return {
      remote: origin + azure.path,
      name: decodeSegment(azure.path.split('/').at(-1) ?? ''),
      // Prefixed by its type: GBmain is the branch main.
      revision: revisionIn(searchParams.get('version')?.replace(/^G[BTC]/, '')),
    };
  }
  const patterns = host === 'bitbucket.org' ? [BITBUCKET_CLOUD] : FILE_PATHS;
  for (const pattern of patterns) {
    const found = toRepository(origin, pattern.exec(pathname));
    if (found) {
      return found;
    }
  }
  return undefined;
}

function toRepository(
  origin: string,
  match: RegExpExecArray | null,
): SourceRepository | undefined {
  const { path, ref } = match?.groups ?? {};
  return path === undefined
    ? undefined
    : {
        remote: `${origin}/${path}.git`,
        name: decodeSegment(path.split('/').at(-1) ?? ''),
        revision: revisionIn(decodeSegment(ref)),
      };
}

/** Returns a revision that can be checked out; undefined for the default branch and unusable names. */
function revisionIn(ref: string | undefined): string | undefined {
  return ref !== undefined && ref !== 'HEAD' && GIT_REVISION.test(ref)
    ? ref
    : undefined;
}
