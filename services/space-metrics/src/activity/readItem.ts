import { InvalidRequestError } from '@slipway/service-kit';
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
  return item => {
    if (validator.Check(item)) {
      return item as Static<S>;
    }
    const [error] = validator.Errors(item);
    const missing =
      error.keyword === 'required' ? error.params.requiredProperties[0] : '';
    const field = [...error.instancePath.split('/').slice(1), missing]
      .filter(Boolean)
      .join('.');
    throw new InvalidRequestError(
      missing ? `${field} is required` : `${field || 'item'} ${error.message}`,
      { field: field || 'item', constraint: error.keyword },
    );
  };
}
