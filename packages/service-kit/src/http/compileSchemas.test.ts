import { Type } from 'typebox';
import {
  compileValidator,
  leavingOutNulls,
  violationsOf,
} from './compileSchemas.ts';

const text = Type.String();
const schema = Type.Object({
  name: text,
  nick: Type.Optional(text),
  size: Type.Integer({ default: 1 }),
  kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
  snoozed: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  ),
  level: Type.Optional(Type.Unsafe<1 | null>({ enum: [1, null] })),
  any: Type.Optional(Type.Unknown()),
  items: Type.Optional(
    Type.Array(Type.Object({ id: text, note: Type.Optional(text) })),
  ),
  counts: Type.Optional(
    Type.Record(text, Type.Object({ extra: Type.Optional(text) })),
  ),
});

function left(value: object): object {
  leavingOutNulls(schema)!(value);
  return value;
}

it('removes nulls of optional fields and fields with a default', () => {
  expect(left({ name: 'x', nick: null, size: null, kind: null })).toEqual({
    name: 'x',
  });
});

it('keeps nulls that are required or valid values', () => {
  const meant = { name: null, snoozed: null, level: null, any: null };
  expect(left({ ...meant })).toEqual(meant);
});

it('descends into lists and maps, but not into unknown members', () => {
  expect(
    left({
      items: [{ id: null, note: null }, null, 7],
      counts: { a: { extra: null }, b: null },
      unheard: { of: null },
    }),
  ).toEqual({
    items: [{ id: null }, null, 7],
    counts: { a: {}, b: null },
    unheard: { of: null },
  });
  expect(left([{ nick: null }])).toEqual([{ nick: null }]);
});

it('does nothing if no field is optional', () => {
  expect(leavingOutNulls(Type.Object({ name: text }))).toBeUndefined();
});

it('checks a value as a body, and returns the first violation', () => {
  const value = { name: 'x', nick: null };
  expect(violationsOf(schema, value)).toEqual([]);
  expect(value).toEqual({ name: 'x', size: 1 });
  expect(violationsOf(schema, { name: 7, size: 'big' })).toMatchObject([
    { instancePath: '/name', keyword: 'type' },
  ]);
});

describe('validators', () => {
  afterEach(() => vi.unstubAllEnvs());

  const compile = (of: object, httpPart: string) =>
    compileValidator({
      schema: of as typeof schema,
      httpPart,
      method: 'POST',
      url: '/',
    }) as (input: unknown) => true | { error: { message: string }[] };

  it.each(['test', 'production'])('say what is wrong, in %s', nodeEnv => {
    vi.stubEnv('NODE_ENV', nodeEnv);
    for (const httpPart of ['body', 'querystring', 'params']) {
      const validate = compile(
        Type.Object({ size: Type.Integer() }, { $comment: nodeEnv }),
        httpPart,
      );
      expect(validate({ size: 1 })).toBe(true);
      expect(validate({})).toMatchObject({
        error: [{ message: expect.stringContaining('size') }],
      });
      expect(validate({ size: 2 })).toBe(true);
    }
  });

  it('show a broken schema at once, but in production when it is needed', () => {
    const broken = { type: 'nothing that there is' };
    expect(() => compile({ ...broken }, 'body')).toThrow('type');
    vi.stubEnv('NODE_ENV', 'production');
    const validate = compile({ ...broken }, 'body');
    expect(() => validate({})).toThrow('type');
  });
});
