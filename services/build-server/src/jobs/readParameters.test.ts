import { HELLO } from '../__testUtils__/startBuildServer.ts';
import type { JobParameter } from './JobStep.ts';
import { readParameters } from './readParameters.ts';

const read = (parameter: JobParameter, ...given: string[]) =>
  readParameters(
    { ...HELLO, parameters: [parameter] },
    given.length > 0 ? new Map([[parameter.name, given]]) : new Map(),
  );

it.each<[Partial<JobParameter>, string | undefined]>([
  [{}, ''],
  [{ default: 'main' }, ''],
  [{ default: 'main', required: true }, 'main'],
  [{ type: 'boolean' }, undefined],
  [{ type: 'boolean', default: 'true' }, 'true'],
  [{ type: 'choice', choices: ['small', 'large'] }, 'small'],
  [{ type: 'choice', choices: ['small', ''] }, ''],
])('of %o makes of an empty field %j', (parameter, value) => {
  expect(read({ name: 'X', ...parameter }, '').X).toBe(value);
});

it('rejects duplicate and long parameters', () => {
  expect(() => read({ name: 'X' }, 'a', 'b')).toThrow(
    'Parameter X is given more than once',
  );
  expect(() => read({ name: 'X' }, 'x'.repeat(100_001))).toThrow(
    'Parameter X must have at most 100000 bytes',
  );
});
