import { isDeepStrictEqual } from 'node:util';
import { PreconditionFailedError } from '@slipway/service-kit';
import { type Flag, revisionOf, stateOf, traitsOf } from '../model/Flag.ts';

/** The entity tag of a flag as one environment sees it, or of all of it. */
export function flagTag(flag: Flag, environment?: string): string {
  const { latest } = flag.revisions;
  return `"${environment === undefined ? latest : revisionOf(flag, environment)}"`;
}

/** @throws PreconditionFailedError where a flag is another than the `If-Match` of a request says. */
export function assertUnchanged(
  flag: Flag,
  { environment, ifMatch }: { environment: string; ifMatch?: string },
): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') {
    return;
  }
  const tags = [flagTag(flag), flagTag(flag, environment)];
  // Whoever packs an answer on the way makes its tag a weak one.
  const sent = ifMatch.split(',').map(tag => tag.trim().replace(/^W\//, ''));
  if (!sent.some(tag => tags.includes(tag))) {
    throw new PreconditionFailedError(
      `Flag ${flag.name} has changed since it was read`,
    );
  }
}

/** Tells whether a change leaves a flag as it is. */
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
