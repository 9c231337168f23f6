import type { Call } from '../../query/language/Expression.ts';
import type { FunctionName } from '../../query/language/functionNames.ts';
import { isPresent } from './isPresent.ts';

export type Args = readonly string[];
/** Writes one function of a dialect. */
export type Writer = (
  args: Args,
  words: readonly string[],
  call: Call,
) => string;

/** Writes a call as an infix operator. */
export const infix =
  (operator: string): Writer =>
  ([left, right]) =>
    `(${left} ${operator} ${right})`;

/**
 * Returns the writers of functions that all engines write in the same way.
 * @param ifNull - the engine's function that replaces null: comparisons are never null.
 * @param inQuery - the engine's operator that searches the values of a query.
 */
export function logicWriters(ifNull: string, inQuery = 'IN') {
  const answer = ({ args }: Call, test: string, whenAbsent: number) =>
    args.every(isPresent) ? `(${test})` : `${ifNull}(${test}, ${whenAbsent})`;
  const known =
    (operator: string, whenAbsent = 0): Writer =>
    ([left, right], _words, call) =>
      answer(call, `${left} ${operator} ${right}`, whenAbsent);
  const listed =
    (not: '' | 'NOT ', whenAbsent: number): Writer =>
    ([left, ...values], _words, call) => {
      const [, first] = call.args;
      const list =
        first?.kind === 'query' || first?.kind === 'list'
          ? `${inQuery.replace('IN', `${not}IN`)} ${values[0]}`
          : `${not}IN (${values.join(', ')})`;
      return answer(call, `${left} ${list}`, whenAbsent);
    };
  return {
    and: args => args.map(each => `(${each})`).join(' AND ') || '1',
    or: args => args.map(each => `(${each})`).join(' OR ') || '0',
    not: ([of]) => `NOT (${of})`,
    equals: known('='),
    notEquals: known('!=', 1),
    less: known('<'),
    lessOrEquals: known('<='),
    greater: known('>'),
    greaterOrEquals: known('>='),
    in: listed('', 0),
    notIn: listed('NOT ', 1),
    isNull: ([of]) => `(${of} IS NULL)`,
    isNotNull: ([of]) => `(${of} IS NOT NULL)`,
    plus: infix('+'),
    minus: infix('-'),
    multiply: infix('*'),
    negate: ([of]) => `(-(${of}))`,
    inZone: ([of]) => of,
  } satisfies Partial<Record<FunctionName, Writer>>;
}

/**
 * Creates the function that writes calls in a dialect. Words come from lists defined in
 * this service, and are checked once more because they are not escaped.
 */
export function callWriter(writers: Readonly<Record<FunctionName, Writer>>) {
  return (call: Call, args: Args): string => {
    const words = call.words ?? [];
    if (!words.every(word => /^[\w+/-]+$/.test(word))) {
      throw new Error(`Not a word: ${words.join(' ')}`);
    }
    return writers[call.function](args, words, call);
  };
}
