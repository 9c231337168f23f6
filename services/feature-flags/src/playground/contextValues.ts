import { InvalidRequestError } from '@slipway/service-kit';
import { timeIn, type Loose } from '../client/reports.ts';

/** A context as applications send it. */
export type Members = Readonly<Record<string, Loose>>;

/** A member of a context, or of its properties, with the values that it lists. */
interface Field {
  readonly name: string;
  readonly isProperty: boolean;
  readonly values: readonly string[];
}

/**
 * Returns a context for each combination of the values that a context lists, which are separated by
 * commas, as in Unleash's playground. The last field varies first.
 *
 * @param most - maximum number of contexts.
 * @throws InvalidRequestError if there are more.
 */
export function contextsOf(context: Members, most: number): Members[] {
  const { properties } = context;
  const fields = [
    ...fieldsOf(context, false),
    ...(typeof properties === 'object' && properties !== null
      ? fieldsOf(properties as Members, true)
      : []),
  ];
  const count = fields.reduce((product, { values }) => {
    return product * values.length;
  }, 1);
  if (count > most) {
    throw new InvalidRequestError(
      `context must not have more than ${most} combinations of values in these environments`,
      { field: 'context', constraint: 'maxItems' },
    );
  }
  return fields.reduce<Members[]>(
    (contexts, field) =>
      contexts.flatMap(each =>
        field.values.map(value => withValue(each, field, value)),
      ),
    [context],
  );
}

/** Lists the members with a text that contains a comma. */
function fieldsOf(members: Members, isProperty: boolean): Field[] {
  return Object.entries(members).flatMap(([name, value]) => {
    const isList =
      typeof value === 'string' &&
      value.includes(',') &&
      // Times in HTTP contain a comma.
      !(name === 'currentTime' && timeIn(value) !== undefined);
    return isList ? [{ name, isProperty, values: valuesIn(value) }] : [];
  });
}

function valuesIn(list: string): string[] {
  const values = list
    .split(',')
    .map(value => value.trim())
    .filter(value => value !== '');
  return values.length === 0 ? [''] : [...new Set(values)];
}

function withValue(context: Members, field: Field, value: string): Members {
  const { name, isProperty } = field;
  return isProperty
    ? {
        ...context,
        properties: { ...(context.properties as Members), [name]: value },
      }
    : { ...context, [name]: value };
}
