import { isDeepStrictEqual } from 'node:util';
import { ForbiddenError } from '@slipway/service-kit';
import { type Flag, stateOf } from '../model/Flag.ts';

/**
 * Rejects an unapproved change that is visible in protected environments. Archiving a flag,
 * moving it to another project or changing its dependencies counts if the flag is on there.
 *
 * @throws ForbiddenError
 */
export function assertUnprotected(
  before: Flag,
  after: Flag,
  protectedEnvironments: readonly string[],
): void {
  const turnsOff =
    (before.archivedAt === null && after.archivedAt !== null) ||
    before.project !== after.project ||
    !isDeepStrictEqual(before.dependencies, after.dependencies);
  for (const name of protectedEnvironments) {
    const state = stateOf(before, name);
    if (turnsOff && state.enabled) {
      throw new ForbiddenError(
        `${before.name} is on in ${name}, which is protected: turn it off there first`,
      );
    }
    // A restored flag is off everywhere.
    const isRevived = before.archivedAt !== null && after.archivedAt === null;
    if (!isRevived && !isDeepStrictEqual(state, stateOf(after, name))) {
      throw new ForbiddenError(
        `${name} is protected: its flags can only be changed through change requests`,
      );
    }
  }
}
