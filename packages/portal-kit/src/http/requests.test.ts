import { z } from 'zod';
import { parseInput } from './requests';

const schema = z.object({
  name: z.string().regex(/^[a-z]+$/, 'must be lower-case letters'),
  size: z.number().int().min(1).optional(),
  parts: z.array(z.object({ id: z.string().min(1).max(3) })).default([]),
});

describe('parseInput', () => {
  it('returns typed values and ignores unknown fields', () => {
    expect(parseInput(schema, { name: 'ok', unknown: 1 })).toEqual({
      name: 'ok',
      parts: [],
    });
  });

  it.each([
    [{}, /^name is required$/],
    [{ name: 'No' }, /^name: must be lower-case letters$/],
    [{ name: 'ok', parts: [{ id: 'a' }, {}] }, /^parts\[1\]\.id is required$/],
    [
      { name: 'NO', size: 'x' },
      /^name: must be lower-case letters; size: must be a number$/,
    ],
    [{ name: 5 }, /^name: must be a string$/],
    [{ name: 'ok', size: 0 }, /^size: must be at least 1$/],
    [{ name: 'ok', size: 1.5 }, /^size: must be a whole number$/],
    [{ name: 'ok', parts: {} }, /^parts: must be an array$/],
    [{ name: 'ok', parts: [1] }, /^parts\[0\]: must be an object$/],
    [
      { name: 'ok', parts: [{ id: '' }] },
      /^parts\[0\]\.id: must not be empty$/,
    ],
    [
      { name: 'ok', parts: [{ id: 'abcd' }] },
      /^parts\[0\]\.id: must have at most 3 characters$/,
    ],
    [[], /^The request body must be a JSON object$/],
    [undefined, /^The request body must be a JSON object$/],
  ])('names the invalid fields in %j', (value, message) => {
    expect(() => parseInput(schema, value)).toThrow(
      expect.objectContaining({
        name: 'InputError',
        message: expect.stringMatching(message),
      }),
    );
  });
});
