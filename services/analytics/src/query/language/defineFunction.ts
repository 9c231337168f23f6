import { assertSafePattern } from './patterns.ts';
import { asNumber, asText, type Reading } from './coerce.ts';
import { call, type Expression, type Kind, kindOf } from './Expression.ts';
import type { FunctionName } from './functionNames.ts';

/** Builds a call from its arguments. */
export type Builder = (
  args: readonly Expression[],
  reading: Reading,
) => Expression;

/** The allowed numbers of arguments of a function, and how to build a call from them. */
export interface Definition {
  readonly least: number;
  readonly most: number;
  readonly build: Builder;
}

/** Maximum arguments of functions that take any number of them. */
export const MANY = 100;

/** Defines a function by the numbers of its arguments and by how its call is built. */
export function define(
  least: number,
  most: number,
  build: Builder,
): Definition {
  return { least, most, build };
}

type Taken =
  'text' | 'number' | 'digits' | 'constant' | 'like' | 'pattern' | 'texts';

/** Maximum number of digits to round to, before or after the decimal point: numbers have no more. */
const MOST_DIGITS = 15;

/** Matches texts that end with a backslash that escapes nothing. */
const ENDS_ESCAPED = /(?<!\\)(?:\\\\)*\\$/;

/** Defines a function with arguments of fixed types; those after `|` are optional. */
export function simple(
  name: FunctionName,
  takes: string,
  gives: Kind,
): Definition {
  const [needed, optional = ''] = takes.split('|');
  const wordsOf = (text: string) => text.split(' ').filter(Boolean) as Taken[];
  const kinds = [...wordsOf(needed), ...wordsOf(optional)];
  return define(wordsOf(needed).length, kinds.length, (args, reading) =>
    call(
      name,
      args.map((arg, index) => take(arg, kinds[index], reading)),
      gives,
    ),
  );
}

/**
 * Converts an argument of a function to the type that the function takes.
 * @throws InvalidRequestError if it cannot have this type.
 */
export function take(
  arg: Expression,
  kind: Taken,
  { reader }: Reading,
): Expression {
  switch (kind) {
    case 'number':
      return asNumber(arg, reader);
    case 'text':
      return asText(arg, reader);
    case 'digits':
      if (
        arg.kind !== 'value' ||
        !Number.isInteger(arg.value) ||
        Math.abs(Number(arg.value)) > MOST_DIGITS
      ) {
        throw reader.faultBefore(
          `needs a whole number of digits, -${MOST_DIGITS} to ${MOST_DIGITS}, as this argument`,
        );
      }
      return arg;
    case 'texts':
      if (kindOf(arg) !== 'texts') {
        throw reader.faultBefore('needs an array, as of splitByChar(…)');
      }
      return arg;
    default: {
      if (arg.kind !== 'value' || typeof arg.value !== 'string') {
        throw reader.faultBefore('needs a text in quotes as this argument');
      }
      if (kind === 'pattern') {
        assertSafePattern(arg.value, reader);
      }
      if (kind === 'like' && ENDS_ESCAPED.test(arg.value)) {
        throw reader.faultBefore(
          'has a pattern that ends with a single backslash',
        );
      }
      return arg;
    }
  }
}
