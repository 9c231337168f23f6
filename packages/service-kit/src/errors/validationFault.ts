import type { Fault } from './Fault.ts';

/** The parts of an Ajv error that are read here. */
export interface SchemaViolation {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
  message?: string;
}

const wordings: Readonly<
  Record<string, (params: Record<string, unknown>) => string>
> = {
  type: ({ type }) => `must be of type ${[type].flat().join(' or ')}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  minLength: ({ limit }) =>
    limit === 1
      ? 'must not be empty'
      : `must have at least ${limit} characters`,
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minItems: ({ limit }) => `must have at least ${limit} elements`,
  maxItems: ({ limit }) => `must have at most ${limit} elements`,
  minProperties: ({ limit }) => `must have at least ${limit} fields`,
  maxProperties: ({ limit }) => `must have at most ${limit} fields`,
  uniqueItems: () => 'must not hold the same element twice',
  pattern: ({ pattern }) => `must match ${pattern}`,
  format: ({ format }) => `must be a valid ${format}`,
  const: ({ allowedValue }) => `must be ${allowedValue}`,
  enum: ({ allowedValues }) =>
    `must be one of ${[allowedValues].flat().join(', ')}`,
};

/**
 * Words the first thing that a schema found wrong, naming the field.
 *
 * @param options.part - `body`, `querystring`, `params` or `headers`: the name of the
 *   field when the whole of it is at fault.
 * @param options.absent - whether the request had no body at all.
 */
export function validationFault(
  violations: readonly SchemaViolation[],
  options: { part: string; absent?: boolean },
): Fault {
  const { part, absent = false } = options;
  if (absent) {
    return fault('body', 'required', 'A request body is required');
  }
  const { keyword, instancePath, params } = mostTelling(violations);
  const path = toDotted(instancePath);
  if (keyword === 'required') {
    const field = join(path, String(params.missingProperty));
    return fault(field, 'required', `${field} is required`);
  }
  if (keyword === 'additionalProperties') {
    const field = join(path, String(params.additionalProperty));
    return fault(field, keyword, `${field} is not a known field`);
  }
  const field = path || (part === 'querystring' ? 'query' : part);
  const wording = wordings[keyword] ?? (() => 'is not valid');
  return fault(
    field,
    keyword === 'const' ? 'enum' : keyword,
    `${field} ${wording(params)}`,
  );
}

/**
 * A union fails with an error for each branch and one for itself. Branches that are
 * literals are one enumeration; branches of other types, one question of type.
 */
function mostTelling(violations: readonly SchemaViolation[]): SchemaViolation {
  const union = violations.find(({ keyword }) => keyword === 'anyOf');
  if (!union) {
    return violations[0];
  }
  const branches = violations.filter(
    each => each !== union && each.instancePath === union.instancePath,
  );
  const inside = violations.filter(
    each => each.instancePath.length > union.instancePath.length,
  );
  if (inside.length > 0) {
    return inside[0];
  }
  const literals = branches.filter(({ keyword }) => keyword === 'const');
  if (literals.length > 0) {
    const allowedValues = literals.map(({ params }) => params.allowedValue);
    return { ...union, keyword: 'enum', params: { allowedValues } };
  }
  if (branches.every(({ keyword }) => keyword === 'type')) {
    const types = [...new Set(branches.map(({ params }) => params.type))];
    return { ...union, keyword: 'type', params: { type: types } };
  }
  return branches.find(({ keyword }) => keyword !== 'type') ?? union;
}

function fault(field: string, constraint: string, message: string): Fault {
  return { kind: 'invalidRequest', message, field, constraint };
}

/** `/scores/0/a~1b` becomes `scores.0.a/b`. */
function toDotted(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

function join(path: string, name: string): string {
  return path ? `${path}.${name}` : name;
}
