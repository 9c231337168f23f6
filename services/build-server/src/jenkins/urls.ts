import type { FastifyRequest } from 'fastify';

/** The addresses at which clients reach the server. */
export interface Addresses {
  /** Without a trailing slash; by default the address of the request. */
  publicUrl?: string;
}

/**
 * Returns the base URL for responses. Clients reject locations with an origin other than
 * that of their request.
 */
export function baseUrlOf(
  request: FastifyRequest,
  { publicUrl }: Addresses,
): string {
  return publicUrl ?? `${request.protocol}://${request.host}`;
}

/** Ends with a slash: clients take the part before it as the id. */
export function queueUrl(base: string, id: number): string {
  return `${base}/queue/item/${id}/`;
}

/** Ends with a slash, as in Jenkins: clients append `api/json` to it. */
export function jobUrl(base: string, job: string): string {
  return `${base}/job/${encodeURIComponent(job)}/`;
}

/** Ends with a slash, like {@link jobUrl}. */
export function buildUrl(
  base: string,
  build: { job: string; number: number },
): string {
  return `${jobUrl(base, build.job)}${build.number}/`;
}

const FOLDERS = /^\/job\/[^/?]+(?:\/job\/[^/?]+)+/;

/** Paths to which some clients append `/api/json` although they return no JSON. */
const SURPLUS =
  /\/(build|consoleText|config\.xml|doDelete|enable|disable|toggleLogKeep)\/api\/json(?=\?|$)/;

/** Rewrites the addresses of clients of Jenkins to those of the routes. */
export function rewriteUrl(url: string): string {
  return joinFolders(url).replace(SURPLUS, '/$1');
}

/**
 * Joins nested folders into one job name, since clients of Jenkins write a name with
 * slashes as folders: `/job/shop/job/main` becomes `/job/shop%2Fmain`. Some clients
 * encode a branch name twice.
 */
export function joinFolders(url: string): string {
  const [folders] = FOLDERS.exec(url) ?? [];
  if (folders === undefined) {
    return url;
  }
  const names = folders.slice('/job/'.length).split('/job/');
  const name = names.join('%2F').replaceAll('%252F', '%2F');
  return `/job/${name}${url.slice(folders.length)}`;
}
