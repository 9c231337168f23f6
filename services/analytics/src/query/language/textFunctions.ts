import { asNumber, asText, zoneOf } from './coerce.ts';
import {
  type Builder,
  define,
  type Definition,
  MANY,
  simple,
  take,
} from './defineFunction.ts';
import {
  call,
  equals,
  type Expression,
  kindOf,
  valueOf,
} from './Expression.ts';
import { whatIsMissing } from './patterns.ts';

/** Builds the condition that a text is empty or missing. */
const isEmpty: Builder = ([arg], { reader }) =>
  kindOf(arg) === 'texts'
    ? equals(call('size', [arg], 'number'), 0)
    : equals(call('coalesce', [asText(arg, reader), valueOf('')], 'text'), '');

/** Converts an argument to text; times are formatted in the project's time zone. */
const toText: Builder = ([arg], { reader, scope }) =>
  kindOf(arg) === 'time'
    ? call('formatTime', [arg, valueOf('%Y-%m-%d %H:%i:%S')], 'text', [
        zoneOf(arg) ?? scope.calendar.zone,
      ])
    : asText(arg, reader);

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

const replaced = (name: 'replaceRegexpAll' | 'replaceRegexpOne'): Definition =>
  define(3, 3, (args, reading) => {
    const [of, pattern, by] = args.map((arg, index) =>
      take(arg, (['text', 'pattern', 'constant'] as const)[index], reading),
    );
    const wrong =
      pattern.kind === 'value' &&
      by.kind === 'value' &&
      whatIsMissing(String(by.value), String(pattern.value));
    if (wrong) {
      throw reading.reader.faultBefore(`has a replacement that ${wrong}`);
    }
    return call(name, [of, pattern, by], 'text');
  });

const substring = define(2, 3, ([of, ...numbers], { reader }) => {
  const [start] = numbers;
  // Engines truncate numbers; ClickHouse rejects a constant 0.
  const isNumber = start.kind === 'value' && typeof start.value === 'number';
  if (isNumber && Math.trunc(Number(start.value)) === 0) {
    throw reader.faultBefore('counts characters from 0 instead of 1');
  }
  return call(
    'substring',
    [asText(of, reader), ...numbers.map(each => asNumber(each, reader))],
    'text',
  );
});

/** Reads JSONExtractString(properties, 'a', 'b') as the property a.b. */
const extracted = (as: 'text' | 'number' | 'boolean' | 'isSet'): Definition =>
  define(2, 11, ([of, ...names], { reader }) => {
    const { path: start = [], owner } = of.kind === 'property' ? of : {};
    if (of.kind !== 'property' && kindOf(of) !== 'json') {
      throw reader.faultBefore(
        'can read JSON only from properties: use JSONExtractString(properties, …)',
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
      ...(owner && { owner }),
      as: as === 'number' ? 'number' : 'text',
    } as const;
    if (as === 'boolean') {
      return equals(property, 'true');
    }
    return as === 'isSet' ? call('isNotNull', [property], 'boolean') : property;
  });

/** Functions for text, arrays and JSON, by their lower-case names. */
export const TEXT_FUNCTIONS: ReadonlyMap<string, Definition> = new Map([
  ['empty', define(1, 1, isEmpty)],
  [
    'notempty',
    define(1, 1, (args, reading) =>
      call('not', [isEmpty(args, reading)], 'boolean'),
    ),
  ],
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
  ['substring', substring],
  ['substr', substring],
  ['substringutf8', substring],
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
  ['replaceregexpall', replaced('replaceRegexpAll')],
  ['replaceregexpone', replaced('replaceRegexpOne')],
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
