import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from '../routes/Route.ts';

/** Existing values in the part under test, by the name of the field or parameter. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

const DEEPEST = 6;

/** Text that causes trouble for parsers, databases, templates and file systems. */
export const nastyText: Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', size: 'medium' }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'a\udfffb',
    '\ufeff',
    '\u202e',
    '\u2028',
    '\r\nX-Injected: 1',
    '%',
    '%E0%A4%A',
    '%00',
    '.',
    '..',
    '../../../../etc/passwd',
    '/proc/self/environ',
    'file:///etc/passwd',
    'http://127.0.0.1:1/x.yaml',
    'http://[::1]:1/',
    'https://0x7f.1/',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'null',
    'NaN',
    "'; DROP TABLE feedback; --",
    "' OR '1'='1",
    '%_\\',
    '{{7*7}}',
    '${7*7}',
    '$(id)',
    '<script>alert(1)</script>',
    '(a+)+$',
    '9'.repeat(400),
    '-1',
    '1e400',
    '0x10',
    '٣',
    '2026-11-20',
    '9999-12-31T23:59:59Z',
    '+275760-09-13T00:00:00.001Z',
    '-271821-04-20',
    '0000-00-00',
    '2026-02-30T25:61:61Z',
    '*',
    '~',
    '[]',
    '{}',
    'a[b][c]',
    '🏳️‍🌈'.repeat(50),
    'e\u0301'.repeat(200),
  ),
  fc
    .tuple(
      fc.constantFrom(' ', '\t', '!', '/s', '.', '-', 'a', '(', '\u0300', '"'),
      fc.constantFrom(1_000, 9_000, 40_000),
    )
    .map(([unit, length]) => unit.repeat(length / unit.length)),
);

/** Arbitrary JSON values. */
export const anything: Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.integer(),
  fc.double(),
  fc.constantFrom(
    0,
    -0,
    -1,
    0.5,
    2 ** 31,
    2 ** 53,
    2 ** 63,
    -(2 ** 63),
    1e308,
    null,
    true,
    false,
    [],
    {},
    [[]],
    [null],
    { length: 1e9 },
    { toString: 1, valueOf: null },
  ),
  fc.jsonValue({ maxDepth: 4 }),
);

/** Replaces lone surrogates, which neither URLs nor bytes can represent. */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '?');
}

/** Generates values that match the schema, with known values for its fields if there are any. */
export function valuesOf(
  schema: Schema,
  known: KnownValues,
  depth = 0,
): Arbitrary<unknown> {
  if (depth > DEEPEST) {
    return fc.constant(null);
  }
  const { anyOf, oneOf, allOf, type } = schema;
  if (schema.const !== undefined) {
    return fc.constant(schema.const);
  }
  if (schema.enum) {
    return fc.constantFrom(...schema.enum);
  }
  const branches = anyOf ?? oneOf;
  if (branches && branches.length > 0) {
    return fc.oneof(
      ...branches.map(branch =>
        valuesOf(
          { ...schema, anyOf: undefined, oneOf: undefined, ...branch },
          known,
          depth + 1,
        ),
      ),
    );
  }
  if (allOf) {
    return valuesOf(merged(schema, allOf), known, depth + 1);
  }
  if (Array.isArray(type)) {
    return fc.oneof(
      ...type.map(each => valuesOf({ ...schema, type: each }, known, depth)),
    );
  }
  switch (type ?? (schema.properties ? 'object' : undefined)) {
    case 'string':
      return stringsOf(schema);
    case 'integer':
      return fc.integer(boundsOf(schema));
    case 'number':
      return fc.oneof(
        fc.integer(boundsOf(schema)),
        fc.double({
          ...boundsOf(schema),
          noNaN: true,
          noDefaultInfinity: true,
        }),
      );
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, known, depth + 1), {
        minLength: Math.min(schema.minItems ?? 0, 5),
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      });
    case 'object':
      return objectsOf(schema, known, depth, member =>
        valuesOf(member, known, depth + 1),
      );
    default:
      return anything;
  }
}

/** Generates objects of the right shape with some invalid values, and values other than objects. */
export function nearly(schema: Schema, known: KnownValues): Arbitrary<unknown> {
  const { properties } = merged(schema, schema.allOf ?? []);
  if (!properties) {
    return fc.oneof(valuesOf(schema, known), anything);
  }
  return fc.oneof(
    {
      weight: 4,
      arbitrary: objectsOf(schema, known, 0, member =>
        fc.oneof(
          { weight: 4, arbitrary: valuesOf(member, known, 1) },
          { weight: 1, arbitrary: anything },
        ),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.record(
        Object.fromEntries(
          Object.keys(properties).map(name => [name, anything]),
        ),
        { requiredKeys: [] },
      ),
    },
    { weight: 1, arbitrary: anything },
  );
}

/**
 * Generates objects with the members of a schema.
 *
 * @param memberOf - generates the value of a member.
 */
function objectsOf(
  schema: Schema,
  known: KnownValues,
  depth: number,
  memberOf: (member: Schema) => Arbitrary<unknown>,
): Arbitrary<unknown> {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = merged(schema, schema.allOf ?? []);
  const named = fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [
        name,
        known[name]
          ? fc.oneof(
              { weight: 6, arbitrary: fc.constantFrom(...known[name]) },
              { weight: 1, arbitrary: memberOf(member) },
            )
          : memberOf(member),
      ]),
    ),
    { requiredKeys: required.filter(name => name in properties) },
  );
  if (!additionalProperties) {
    return named;
  }
  const others = fc.dictionary(
    nastyText,
    additionalProperties === true
      ? anything
      : valuesOf(additionalProperties, known, depth + 1),
    { maxKeys: 3 },
  );
  return fc.tuple(named, others).map(([one, other]) => ({ ...other, ...one }));
}

/** Generates strings of a format, a pattern or a length. */
function stringsOf({ format, pattern, ...schema }: Schema): Arbitrary<unknown> {
  const { minLength = 0, maxLength = 40 } = schema;
  const length = {
    minLength: Math.min(minLength, 40),
    maxLength: Math.max(minLength, Math.min(maxLength, 40)),
  };
  if (format === 'date-time' || format === 'date') {
    return fc
      .date({
        noInvalidDate: true,
        min: new Date('2024-01-01'),
        max: new Date('2027-12-31'),
      })
      .map(date =>
        format === 'date'
          ? date.toISOString().slice(0, 10)
          : date.toISOString(),
      );
  }
  if (format === 'uuid') {
    return fc.uuid();
  }
  if (format === 'uri' || pattern?.startsWith('^http')) {
    // Host names that do not resolve, so that nothing is sent to other machines.
    return fc.webPath().map(path => `https://nowhere.invalid${path}`);
  }
  if (pattern !== undefined) {
    return fc.oneof(matching(pattern), fc.string(length));
  }
  return fc.oneof(
    fc.string({ ...length, unit: 'grapheme' }),
    matching('^[a-z][a-z0-9-]{0,11}$'),
  );
}

/** Generators by pattern, which are reused because fast-check takes milliseconds to create one. */
const matchers = new Map<string, Arbitrary<string>>();

/** Generates strings that match a pattern, if the generator supports all of it. */
function matching(pattern: string): Arbitrary<string> {
  const matcher = matchers.get(pattern) ?? createMatcher(pattern);
  matchers.set(pattern, matcher);
  return matcher;
}

function createMatcher(pattern: string): Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'));
  } catch {
    return fc.string();
  }
}

function boundsOf({ minimum, maximum }: Schema): {
  min?: number;
  max?: number;
} {
  return {
    ...(minimum !== undefined && { min: Math.ceil(minimum) }),
    ...(maximum !== undefined && { max: Math.floor(maximum) }),
  };
}

/** Merges the fields of several schemas into one. */
function merged(schema: Schema, parts: readonly Schema[]): Schema {
  return parts.reduce<Schema>(
    (whole, part) => ({
      ...whole,
      ...part,
      properties: { ...whole.properties, ...part.properties },
      required: [...(whole.required ?? []), ...(part.required ?? [])],
      allOf: undefined,
    }),
    schema,
  );
}
