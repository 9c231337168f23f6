import { InvalidRequestError } from '@slipway/service-kit';
import { type Flag, stateOf } from '../model/Flag.ts';

/** Maximum number of each kind of part of a flag; of strategies, per environment. */
export const FLAG_LIMITS = {
  strategies: 50,
  dependencies: 50,
  tags: 100,
  links: 100,
} as const;

/**
 * Rejects a change that adds parts beyond the limits. A flag that already exceeds them keeps its parts.
 *
 * @throws InvalidRequestError naming the field.
 */
export function assertWithinLimits(before: Flag, after: Flag): void {
  for (const field of ['dependencies', 'tags', 'links'] as const) {
    assertRoom(field, before[field].length, after[field].length);
  }
  for (const environment of Object.keys(after.states)) {
    const [from, to] = [before, after].map(
      flag => stateOf(flag, environment).strategies.length,
    );
    assertRoom('strategies', from, to);
  }
}

function assertRoom(
  field: keyof typeof FLAG_LIMITS,
  before: number,
  after: number,
): void {
  const most = FLAG_LIMITS[field];
  if (after > most && after > before) {
    throw new InvalidRequestError(
      `${field} must not have more than ${most} items`,
      { field, constraint: 'maxItems' },
    );
  }
}
