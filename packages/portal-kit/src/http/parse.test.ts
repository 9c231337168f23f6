import { z } from 'zod';
import { parseInput } from './parse';

const schema = z.object({
  name: z.string().regex(/^[a-z]+$/, 'must be lower-case letters'),
  size: z.number().int().optional(),
  parts: z.array(z.object({ id: z.string() })).default([]),
});

describe('parseInput', () => {
  it('gives typed values and ignores unknown fields', () => {
    expect(parseInput(schema, { name: 'ok', unknown: 1 })).toEqual({
      name: 'ok',
      parts: [],
    });
  });

  it.each([
    [{}, /^name is required$/],
    [{ name: 'No' }, /^name: must be lower-case letters$/],
    [{ name: 'ok', parts: [{ id: 'a' }, {}] }, /^parts\[1\]\.id is required$/],
    [{ name: 'NO', size: 'x' }, /^name: must be lower-case letters; size: /],
  ])('names the fields at fault in %j', (value, message) => {
    expect(() => parseInput(schema, value)).toThrow(
      expect.objectContaining({
        name: 'InputError',
        message: expect.stringMatching(message),
      }),
    );
  });
});
