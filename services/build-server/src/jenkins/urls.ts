import type { FastifyRequest } from 'fastify';

/** The addresses that clients reach the server at. */
export interface Addresses {
  /** Without a trailing slash; what a client asked when left out. */
  publicUrl?: string;
}

/** Clients refuse locations of another origin than the one they asked. */
export function baseUrlOf(
  request: FastifyRequest,
  { publicUrl }: Addresses,
): string {
  return publicUrl ?? `${request.protocol}://${request.host}`;
}

/** Ends with a slash: clients take the part before it for the id. */
export function queueUrl(base: string, id: number): string {
  return `${base}/queue/item/${id}/`;
}

/** Ends with a slash, as in Jenkins: clients put `api/json` right behind it. */
export function jobUrl(base: string, job: string): string {
  return `${base}/job/${encodeURIComponent(job)}/`;
}

/** Ends with a slash, as {@link jobUrl}. */
export function buildUrl(
  base: string,
  build: { job: string; number: number },
): string {
  return `${jobUrl(base, build.job)}${build.number}/`;
}

const FOLDERS = /^\/job\/[^/?]+(?:\/job\/[^/?]+)+/;

/**
 * Makes one job of folders, as Jenkins' clients write a name with slashes: `/job/shop/job/main` is
 * `/job/shop%2Fmain`. Some encode the name of a branch twice.
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
