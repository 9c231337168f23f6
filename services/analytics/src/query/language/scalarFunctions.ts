import { assertSafePattern } from './patterns.ts';
import { compare } from './buildComparison.ts';
import {
  asBoolean,
  asNumber,
  asText,
  type Reading,
  unify,
  zoneOf,
} from './coerce.ts';
import {
  call,
  type Expression,
  type FunctionName,
  type Kind,
  kindOf,
  valueOf,
} from './Expression.ts';

/** Builds a call from its arguments. */
export type Builder = (
  args: readonly Expression[],
  reading: Reading,
) => Expression;

/** The number of arguments of a function, and how to build a call from them. */
export interface Definition {
  readonly least: number;
  readonly most: number;
  readonly build: Builder;
}

const MANY = 100;

export function define(
  least: number,
  most: number,
  build: Builder,
): Definition {
  return { least, most, build };
}

type Taken = 'text' | 'number' | 'whole' | 'constant' | 'pattern' | 'texts';

/** Defines a function with arguments of fixed types; those after `|` are optional. */
function simple(name: FunctionName, takes: string, gives: Kind): Definition {
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

function take(arg: Expression, kind: Taken, { reader }: Reading): Expression {
  switch (kind) {
    case 'number':
      return asNumber(arg, reader);
    case 'text':
      return asText(arg, reader);
    case 'whole':
      if (arg.kind !== 'value' || !Number.isInteger(arg.value)) {
        throw reader.faultBefore('needs a whole number as this argument');
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
      return arg;
    }
  }
}

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

/** True for an empty or missing text. */
const isEmpty: Builder = ([arg], { reader }) =>
  kindOf(arg) === 'texts'
    ? call('equals', [call('size', [arg], 'number'), valueOf(0)], 'boolean')
    : call(
        'equals',
        [
          call('coalesce', [asText(arg, reader), valueOf('')], 'text'),
          valueOf(''),
        ],
        'boolean',
      );

const ofNumber = (name: FunctionName) => simple(name, 'number', 'number');
const ofTwo = (name: FunctionName) => simple(name, 'number number', 'number');

/** Converts text to a number; times become seconds, as in ClickHouse. */
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

/** Converts to text; times are formatted in the project's time zone. */
const toText: Builder = ([arg], { reader, scope }) =>
  kindOf(arg) === 'time'
    ? call('formatTime', [arg, valueOf('%Y-%m-%d %H:%i:%S')], 'text', [
        zoneOf(arg) ?? scope.calendar.zone,
      ])
    : asText(arg, reader);

const rounded = (name: 'floor' | 'ceil'): Definition =>
  simple(name, 'number', 'number');

const contains = (caseless: boolean): Definition =>
  define(2, 2, ([text, part], { reader }) => {
    const lower = (of: Expression) =>
      caseless
        ? call('lower', [asText(of, reader)], 'text')
        : asText(of, reader);
    return call('position', [lower(text), lower(part)], 'number');
  });

const affix = (name: 'startsWith' | 'endsWith') =>
  simple(name, 'text text', 'boolean');

/** Reads JSONExtractString(properties, 'a', 'b') as the property a.b. */
const extracted = (as: 'text' | 'number' | 'boolean' | 'isSet'): Definition =>
  define(2, 11, ([of, ...names], { reader }) => {
    const start = of.kind === 'property' ? of.path : [];
    if (of.kind !== 'property' && kindOf(of) !== 'json') {
      throw reader.faultBefore(
        'reads JSON of properties only: use JSONExtractString(properties, …)',
      );
    }
    const path = [
      ...start,
      ...names.map(name => {
        if (
          name.kind !== 'value' ||
          typeof name.value !== 'string' ||
          name.value === ''
        ) {
          throw reader.faultBefore("needs the property's name in quotes");
        }
        return name.value;
      }),
    ];
    const property = {
      kind: 'property',
      path,
      as: as === 'number' ? 'number' : 'text',
    } as const;
    if (as === 'boolean') {
      return call('equals', [property, valueOf('true')], 'boolean');
    }
    return as === 'isSet' ? call('isNotNull', [property], 'boolean') : property;
  });

/** Functions for logic, numbers, text, arrays and JSON, by their lower-case names. */
export const SCALAR_FUNCTIONS: ReadonlyMap<string, Definition> = new Map([
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
  ['empty', define(1, 1, isEmpty)],
  [
    'notempty',
    define(1, 1, (args, reading) =>
      call('not', [isEmpty(args, reading)], 'boolean'),
    ),
  ],
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
  ['like', simple('like', 'text constant', 'boolean')],
  ['ilike', simple('ilike', 'text constant', 'boolean')],
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
  ['round', simple('round', 'number | whole', 'number')],
  ['floor', rounded('floor')],
  ['ceil', rounded('ceil')],
  ['ceiling', rounded('ceil')],
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
  ['tostring', define(1, 1, toText)],
  ['lower', simple('lower', 'text', 'text')],
  ['lowerutf8', simple('lower', 'text', 'text')],
  ['upper', simple('upper', 'text', 'text')],
  ['upperutf8', simple('upper', 'text', 'text')],
  [
    'length',
    define(1, 1, ([arg], { reader }) =>
      kindOf(arg) === 'texts' || kindOf(arg) === 'numbers'
        ? call('size', [arg], 'number')
        : call('length', [asText(arg, reader)], 'number'),
    ),
  ],
  [
    'concat',
    define(1, MANY, (args, { reader }) =>
      call(
        'concat',
        args.map(arg => asText(arg, reader)),
        'text',
      ),
    ),
  ],
  ['substring', simple('substring', 'text number | number', 'text')],
  ['substr', simple('substring', 'text number | number', 'text')],
  ['substringutf8', simple('substring', 'text number | number', 'text')],
  [
    'left',
    define(2, 2, ([text, length], { reader }) =>
      call(
        'substring',
        [asText(text, reader), valueOf(1), asNumber(length, reader)],
        'text',
      ),
    ),
  ],
  ['trim', simple('trim', 'text', 'text')],
  ['trimboth', simple('trim', 'text', 'text')],
  ['replace', simple('replaceAll', 'text text text', 'text')],
  ['replaceall', simple('replaceAll', 'text text text', 'text')],
  ['replaceone', simple('replaceOne', 'text text text', 'text')],
  [
    'replaceregexpall',
    simple('replaceRegexpAll', 'text pattern constant', 'text'),
  ],
  [
    'replaceregexpone',
    simple('replaceRegexpOne', 'text pattern constant', 'text'),
  ],
  ['extract', simple('extract', 'text pattern', 'text')],
  ['position', contains(false)],
  ['positioncaseinsensitive', contains(true)],
  ['startswith', affix('startsWith')],
  ['endswith', affix('endsWith')],
  ['reverse', simple('reverse', 'text', 'text')],
  ['domain', simple('domain', 'text', 'text')],
  ['path', simple('path', 'text', 'text')],
  ['cutquerystring', simple('withoutQuery', 'text', 'text')],
  [
    'splitbychar',
    define(2, 2, ([separator, text], reading) =>
      call(
        'split',
        [take(text, 'text', reading), take(separator, 'constant', reading)],
        'texts',
      ),
    ),
  ],
  [
    'splitbystring',
    define(2, 2, ([separator, text], reading) =>
      call(
        'split',
        [take(text, 'text', reading), take(separator, 'constant', reading)],
        'texts',
      ),
    ),
  ],
  ['arraystringconcat', simple('join', 'texts | constant', 'text')],
  [
    'arrayelement',
    define(2, 2, ([list, index], { reader }) => {
      if (kindOf(list) !== 'texts') {
        throw reader.faultBefore('takes an element of what is not an array');
      }
      return call('element', [list, asNumber(index, reader)], 'text');
    }),
  ],
  ['has', simple('has', 'texts text', 'boolean')],
  ['jsonextractstring', extracted('text')],
  ['jsonextractraw', extracted('text')],
  ['jsonextractfloat', extracted('number')],
  ['jsonextractint', extracted('number')],
  ['jsonextractuint', extracted('number')],
  ['jsonextractbool', extracted('boolean')],
  ['jsonhas', extracted('isSet')],
]);
