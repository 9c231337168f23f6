import { InvalidRequestError } from '@slipway/service-kit/ServiceError';
import type { JobParameter } from './JobStep.ts';

/** Maximum length of a value, so that it fits in an environment variable on Linux. */
const MAX_BYTES = 100_000;

/**
 * Validates the given parameters of a job, and returns their values with defaults. Undeclared ones are
 * dropped, so that callers cannot set other variables of a build.
 *
 * @param given - the values by name; more than one value is an error.
 * @throws InvalidRequestError naming the invalid parameter.
 */
export function readParameters(
  { parameters = [] }: { parameters?: readonly JobParameter[] },
  given: ReadonlyMap<string, readonly string[]>,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const parameter of parameters) {
    const [value, ...more] = given.get(parameter.name) ?? [];
    if (more.length > 0) {
      throw fault(parameter, 'unique', 'is given more than once');
    }
    const read = readValue(parameter, value);
    if (read !== undefined) {
      values[parameter.name] = read;
    }
  }
  return values;
}

function readValue(
  parameter: JobParameter,
  given: string | undefined,
): string | undefined {
  const { type, choices, required } = parameter;
  const value = isGiven(parameter, given)
    ? given
    : (parameter.default ?? choices?.[0]);
  if (value === undefined) {
    if (required) {
      throw fault(parameter, 'required', 'is required');
    }
    return undefined;
  }
  if (type === 'boolean' && value !== 'true' && value !== 'false') {
    throw fault(parameter, 'type', 'must be true or false');
  }
  if (type === 'number') {
    assertNumber(parameter, value);
  }
  if (choices && !choices.includes(value)) {
    throw fault(parameter, 'enum', `must be one of ${choices.join(', ')}`);
  }
  if (Buffer.byteLength(value) > MAX_BYTES) {
    throw fault(parameter, 'maxLength', `must have at most ${MAX_BYTES} bytes`);
  }
  return value;
}

/** Checks whether a value of a parameter is written as a number. */
export function isNumber(value: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(value);
}

function assertNumber(parameter: JobParameter, value: string): void {
  const number = Number(value);
  if (!isNumber(value) || !Number.isFinite(number)) {
    throw fault(parameter, 'type', 'must be a number');
  }
  const { minimum = -Infinity, maximum = Infinity } = parameter;
  if (number < minimum) {
    throw fault(parameter, 'minimum', `must be at least ${minimum}`);
  }
  if (number > maximum) {
    throw fault(parameter, 'maximum', `must be at most ${maximum}`);
  }
}

/** Checks whether a value was given; an empty form field counts as missing unless empty is valid. */
function isGiven(
  { type, choices, required }: JobParameter,
  given: string | undefined,
): boolean {
  const takesEmpty =
    choices?.includes('') ?? (type !== 'boolean' && type !== 'number');
  return given !== undefined && (given !== '' || (takesEmpty && !required));
}

function fault(
  { name }: JobParameter,
  constraint: string,
  what: string,
): InvalidRequestError {
  return new InvalidRequestError(`Parameter ${name} ${what}`, {
    field: name,
    constraint,
  });
}
