import { compare } from './buildComparison.ts';
import { asBoolean, asNumber, asText, unify } from './coerce.ts';
import {
  type Builder,
  define,
  type Definition,
  MANY,
  simple,
} from './defineFunction.ts';
import {
  call,
  type Expression,
  type Kind,
  kindOf,
  valueOf,
} from './Expression.ts';
import type { FunctionName } from './functionNames.ts';

const condition: Builder = (args, reading) => {
  const { reader } = reading;
  if (args.length % 2 === 0) {
    throw reader.faultBefore('needs a value for when no condition is true');
  }
  const conditions = args.filter((_, index) => index % 2 === 0).slice(0, -1);
  const values = unify(
    args.filter((_, index) => index % 2 === 1 || index === args.length - 1),
    reading,
  );
  return conditions.reduceRight(
    (otherwise, when, index) =>
      call(
        'if',
        [asBoolean(when, reader), values[index], otherwise],
        commonKind(values),
      ),
    values.at(-1)!,
  );
};

function commonKind(values: readonly Expression[]): Kind {
  const kinds = values.map(kindOf);
  return kinds.find(kind => kind !== 'null') ?? 'null';
}

const firstOf: Builder = (args, reading) => {
  const values = unify(args, reading);
  return call('coalesce', values, commonKind(values));
};

const extreme = (name: 'greatest' | 'least'): Definition =>
  define(2, MANY, (args, reading) => {
    const values = unify(args, reading);
    return call(name, values, commonKind(values));
  });

const compared = (sign: string): Definition =>
  define(2, 2, ([left, right], reading) =>
    compare(sign, [left, right], reading),
  );

const connected = (name: 'and' | 'or'): Definition =>
  define(1, MANY, (args, { reader }) =>
    call(
      name,
      args.map(arg => asBoolean(arg, reader)),
      'boolean',
    ),
  );

const ofNumber = (name: FunctionName) => simple(name, 'number', 'number');
const ofTwo = (name: FunctionName) => simple(name, 'number number', 'number');

/** Converts an argument to a number; times become seconds, as in ClickHouse. */
const toNumber: Builder = ([arg], { reader }) => {
  switch (kindOf(arg)) {
    case 'number':
      return arg.kind === 'property'
        ? call('toNumber', [{ ...arg, as: 'text' }], 'number')
        : arg;
    case 'boolean':
      return arg;
    case 'time':
      return call(
        'divide',
        [{ ...call('coalesce', [arg], 'number') }, valueOf(1_000)],
        'number',
      );
    default:
      return call('toNumber', [asText(arg, reader)], 'number');
  }
};

const toWhole: Builder = (args, reading) => {
  const number = toNumber(args, reading);
  // Rounds towards zero, as ClickHouse does.
  return call(
    'if',
    [
      call('less', [number, valueOf(0)], 'boolean'),
      call('ceil', [number], 'number'),
      call('floor', [number], 'number'),
    ],
    'number',
  );
};

/** Functions for logic and numbers, by their lower-case names. */
export const NUMBER_FUNCTIONS: ReadonlyMap<string, Definition> = new Map([
  ['if', define(3, 3, condition)],
  ['multiif', define(3, MANY, condition)],
  ['coalesce', define(1, MANY, firstOf)],
  ['ifnull', define(2, 2, firstOf)],
  [
    'nullif',
    define(2, 2, (args, reading) => {
      const values = unify(args, reading);
      return call('nullIf', values, kindOf(values[0]));
    }),
  ],
  ['isnull', define(1, 1, ([arg]) => call('isNull', [arg], 'boolean'))],
  ['isnotnull', define(1, 1, ([arg]) => call('isNotNull', [arg], 'boolean'))],
  ['and', connected('and')],
  ['or', connected('or')],
  [
    'not',
    define(1, 1, ([arg], { reader }) =>
      call('not', [asBoolean(arg, reader)], 'boolean'),
    ),
  ],
  ['equals', compared('=')],
  ['notequals', compared('!=')],
  ['less', compared('<')],
  ['lessorequals', compared('<=')],
  ['greater', compared('>')],
  ['greaterorequals', compared('>=')],
  ['like', simple('like', 'text like', 'boolean')],
  ['ilike', simple('ilike', 'text like', 'boolean')],
  ['match', simple('matches', 'text pattern', 'boolean')],
  ['plus', ofTwo('plus')],
  ['minus', ofTwo('minus')],
  ['multiply', ofTwo('multiply')],
  ['divide', ofTwo('divide')],
  ['modulo', ofTwo('modulo')],
  ['mod', ofTwo('modulo')],
  [
    'intdiv',
    define(2, 2, (args, { reader }) => {
      const quotient = call(
        'divide',
        args.map(arg => asNumber(arg, reader)),
        'number',
      );
      return call('floor', [quotient], 'number');
    }),
  ],
  ['negate', ofNumber('negate')],
  ['abs', ofNumber('abs')],
  ['round', simple('round', 'number | digits', 'number')],
  ['floor', ofNumber('floor')],
  ['ceil', ofNumber('ceil')],
  ['ceiling', ofNumber('ceil')],
  ['sqrt', ofNumber('sqrt')],
  ['exp', ofNumber('exp')],
  ['log', ofNumber('log')],
  ['ln', ofNumber('log')],
  ['pow', ofTwo('power')],
  ['power', ofTwo('power')],
  ['greatest', extreme('greatest')],
  ['least', extreme('least')],
  ...[
    'tofloat',
    'tofloat64',
    'tofloatornull',
    'tofloat64ornull',
    'todecimal',
  ].map(
    name =>
      [
        name,
        define(1, 2, ([arg], reading) => toNumber([arg], reading)),
      ] as const,
  ),
  ...[
    'toint',
    'toint64',
    'touint64',
    'toint32',
    'tointornull',
    'toint64ornull',
  ].map(name => [name, define(1, 1, toWhole)] as const),
  ['tobool', define(1, 1, ([arg], { reader }) => asBoolean(arg, reader))],
]);
