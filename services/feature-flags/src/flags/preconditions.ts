import { isDeepStrictEqual } from 'node:util';
import { assertMatches } from '@slipway/service-kit';
import { type Flag, revisionOf, stateOf, traitsOf } from '../model/Flag.ts';

/** Returns the entity tag of a flag in one environment, or of the whole flag. */
export function flagTag(flag: Flag, environment?: string): string {
  const { latest } = flag.revisions;
  return `"${environment === undefined ? latest : revisionOf(flag, environment)}"`;
}

/** Checks a flag against the `If-Match` of a request. @throws PreconditionFailedError if it differs. */
export function assertUnchanged(
  flag: Flag,
  { environment, ifMatch }: { environment: string; ifMatch?: string },
): void {
  assertMatches(ifMatch, {
    tags: [flagTag(flag), flagTag(flag, environment)],
    what: `Flag ${flag.name}`,
  });
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
