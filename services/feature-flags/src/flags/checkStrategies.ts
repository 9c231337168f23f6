import { InvalidRequestError } from '@slipway/service-kit';
import type { Strategy } from './Flag.ts';

/** Which parameter of a strategy says how many of a hundred get the flag. */
const SHARES: Readonly<Record<string, string>> = {
  gradualRolloutUserId: 'percentage',
  gradualRolloutSessionId: 'percentage',
  gradualRolloutRandom: 'percentage',
  flexibleRollout: 'rollout',
};

const WHOLE_PERCENT = /^(100|\d{1,2})$/;

/**
 * Refuses what SDKs would take for 0 or 100 without a word.
 *
 * @throws InvalidRequestError naming the parameter.
 */
export function checkStrategies(strategies: readonly Strategy[]): void {
  strategies.forEach(({ name, parameters }, index) => {
    const share = Object.hasOwn(SHARES, name) ? SHARES[name] : undefined;
    if (share === undefined) {
      return;
    }
    const field = `strategies.${index}.parameters.${share}`;
    const value = parameters[share];
    if (value === undefined) {
      throw new InvalidRequestError(`${field} is required by ${name}`, {
        field,
        constraint: 'required',
      });
    }
    if (!WHOLE_PERCENT.test(value)) {
      throw new InvalidRequestError(
        `${field} must be a whole number from 0 to 100, as text`,
        { field, constraint: 'format' },
      );
    }
  });
}
