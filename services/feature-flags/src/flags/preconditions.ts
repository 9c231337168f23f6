import { isDeepStrictEqual } from 'node:util';
import { PreconditionFailedError } from '@slipway/service-kit';
import { type Flag, revisionOf, stateOf, traitsOf } from '../model/Flag.ts';

/** Returns the entity tag of a flag in one environment, or of the whole flag. */
export function flagTag(flag: Flag, environment?: string): string {
  const { latest } = flag.revisions;
  return `"${environment === undefined ? latest : revisionOf(flag, environment)}"`;
}

/** @throws PreconditionFailedError if a flag does not match the `If-Match` of a request. */
export function assertUnchanged(
  flag: Flag,
  { environment, ifMatch }: { environment: string; ifMatch?: string },
): void {
  assertMatches(ifMatch, {
    tags: [flagTag(flag), flagTag(flag, environment)],
    what: `Flag ${flag.name}`,
  });
}

/**
 * Checks the `If-Match` of a request.
 *
 * @param options.tags - the entity tags of the present state.
 * @param options.what - what has changed if none of them match.
 * @throws PreconditionFailedError
 */
export function assertMatches(
  ifMatch: string | undefined,
  { tags, what }: { tags: readonly string[]; what: string },
): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') {
    return;
  }
  // Proxies that compress a response make its tag weak.
  const sent = ifMatch.split(',').map(tag => tag.trim().replace(/^W\//, ''));
  if (!sent.some(tag => tags.includes(tag))) {
    throw new PreconditionFailedError(`${what} has changed since it was read`);
  }
}

/** Checks whether a change has no effect on a flag. */
export function isSame(before: Flag, after: Flag): boolean {
  return (
    before.archivedAt === after.archivedAt &&
    before.project === after.project &&
    isDeepStrictEqual(traitsOf(before), traitsOf(after)) &&
    Object.entries(after.states).every(([environment, state]) =>
      isDeepStrictEqual(stateOf(before, environment), state),
    )
  );
}
