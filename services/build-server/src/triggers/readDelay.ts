import { InvalidRequestError } from '@slipway/service-kit';

const YEAR_S = 31_536_000;

/**
 * Milliseconds of `?delay=`: whole seconds, as the contract has it, or with the suffix
 * that clients of Jenkins send (`5sec`).
 *
 * @throws InvalidRequestError
 */
export function readDelay(text: string | undefined): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const [, digits] = /^(\d{1,9})(?:secs?)?$/.exec(text.trim()) ?? [];
  if (digits === undefined || Number(digits) > YEAR_S) {
    throw new InvalidRequestError(
      `delay must be whole seconds, at most ${YEAR_S}`,
      { field: 'delay', constraint: 'type' },
    );
  }
  return Number(digits) * 1_000;
}
