import {
  InvalidRequestError,
  leavingOutNulls,
  validationFault,
} from '@slipway/service-kit';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/**
 * Makes a check for one element of a batch, which must not keep its neighbours out.
 *
 * @returns a function that throws InvalidRequestError naming the field at fault.
 */
export function itemReader<S extends TSchema>(
  schema: S,
): (item: unknown) => Static<S> {
  const validator = Compile(schema);
  const leaveOutNulls = leavingOutNulls(schema);
  return item => {
    leaveOutNulls?.(item);
    if (validator.Check(item)) {
      return item as Static<S>;
    }
    const { message, ...fault } = validationFault(validator.Errors(item), {
      part: 'item',
    });
    throw new InvalidRequestError(message, fault);
  };
}
