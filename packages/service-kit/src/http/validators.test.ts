import { Type } from 'typebox';
import { leavingOutNulls } from './validators.ts';

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

it('leaves out what is optional or has a default', () => {
  expect(left({ name: 'x', nick: null, size: null, kind: null })).toEqual({
    name: 'x',
  });
});

it('keeps a null that is required, or that means something', () => {
  const meant = { name: null, snoozed: null, level: null, any: null };
  expect(left({ ...meant })).toEqual(meant);
});

it('looks into lists and maps, and at nothing that nobody knows', () => {
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

it('does nothing where nothing may be left out', () => {
  expect(leavingOutNulls(Type.Object({ name: text }))).toBeUndefined();
});
