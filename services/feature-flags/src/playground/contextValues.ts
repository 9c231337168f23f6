import { InvalidRequestError } from '@slipway/service-kit';
import { timeIn, type Loose } from '../client/reports.ts';

/** A context as applications send it. */
export type Members = Readonly<Record<string, Loose>>;

/** Maximum number of properties, the same as of other members; each context contains all of them. */
const MAX_PROPERTIES = 100;

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
 * @throws InvalidRequestError if there are more contexts, or too many properties.
 */
export function contextsOf(context: Members, most: number): Members[] {
  const properties = propertiesOf(context);
  const fields = [
    ...fieldsOf(context, false),
    ...fieldsOf(properties ?? {}, true),
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
  return Array.from({ length: count }, (_, index) => {
    const chosen = combinationAt(index, fields);
    const valuesOf = (isProperty: boolean) =>
      Object.fromEntries(
        fields.flatMap((field, at) =>
          field.isProperty === isProperty ? [[field.name, chosen[at]]] : [],
        ),
      );
    return {
      ...context,
      ...valuesOf(false),
      ...(properties && { properties: { ...properties, ...valuesOf(true) } }),
    };
  });
}

/** Returns the properties of a context; undefined if they are not an object. */
function propertiesOf({ properties }: Members): Members | undefined {
  if (typeof properties !== 'object' || properties === null) {
    return undefined;
  }
  if (Object.keys(properties).length > MAX_PROPERTIES) {
    throw new InvalidRequestError(
      `context.properties must have at most ${MAX_PROPERTIES} fields`,
      { field: 'context.properties', constraint: 'maxProperties' },
    );
  }
  return properties as Members;
}

/** Returns the value of each field in the combination at an index, counted from 0. */
function combinationAt(index: number, fields: readonly Field[]): string[] {
  let rest = index;
  return fields
    .toReversed()
    .map(({ values }) => {
      const value = values[rest % values.length];
      rest = Math.floor(rest / values.length);
      return value;
    })
    .reverse();
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
