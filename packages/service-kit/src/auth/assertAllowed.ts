import type { FastifyRequest } from 'fastify';
import { ForbiddenError, UnauthenticatedError } from '../errors/index.ts';
import type { Access } from './Access.ts';
import type { Identification } from './identify.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Lets a request pass, or throws what it lacks: first a valid credential (401), then
 * the permission (403).
 *
 * @param options.origin - of the portal's pages.
 */
export async function assertAllowed(
  request: FastifyRequest,
  options: { access: Access; identification: Identification; origin: string },
): Promise<void> {
  const { access, identification, origin } = options;
  const { caller, ways, refusal } = identification;
  if (refusal !== undefined) {
    throw refusal;
  }
  if (caller.kind === 'anonymous') {
    if (!access.optional || hasForeignScheme(request, access)) {
      const { challenge } =
        access.ways.find(way => way.authenticator.challenge)?.authenticator ??
        {};
      throw new UnauthenticatedError(undefined, { challenge });
    }
    return;
  }
  // A credential that a page must set by itself no other site can send.
  if (ways.every(({ authenticator }) => authenticator.sentByBrowsers)) {
    assertSameSite(request, origin);
  }
  for (const { permits } of ways) {
    if (!permits || (await permits(caller))) {
      return;
    }
  }
  throw new ForbiddenError();
}

/** Tells whether there is an `Authorization` of a scheme that the route does not know. */
function hasForeignScheme(request: FastifyRequest, { ways }: Access): boolean {
  return (
    request.headers.authorization !== undefined &&
    ways.some(
      ({ authenticator }) => authenticator.place === 'header:authorization',
    )
  );
}

/**
 * Refuses a write that another site made a browser send along with a credential that it
 * keeps, such as the portal's cookie, which has SameSite=None. Browsers put an Origin on every such write. One without is judged
 * by Sec-Fetch-Site, and without both it is no browser's: nobody was tricked into it.
 */
function assertSameSite(request: FastifyRequest, origin: string): void {
  if (READS.has(request.method)) {
    return;
  }
  const { origin: sent, 'sec-fetch-site': site } = request.headers;
  const trusted =
    sent === undefined
      ? site === undefined || site === 'same-origin' || site === 'none'
      : sent === origin;
  if (!trusted) {
    throw new ForbiddenError('Writes from another origin are refused');
  }
}
