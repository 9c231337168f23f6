import type { Fault } from './ServiceError.ts';

/** The properties of an Ajv error that are used here. */
export interface SchemaViolation {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
  /** The schema that contains the keyword. */
  parentSchema?: { patternDescription?: unknown };
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
  uniqueItems: () => 'must not contain the same element twice',
  format: ({ format }) => `must be a valid ${format}`,
  const: ({ allowedValue }) => `must be ${allowedValue}`,
  enum: ({ allowedValues }) =>
    `must be one of ${[allowedValues].flat().join(', ')}`,
};

/**
 * Describes the first schema violation, naming the field.
 *
 * @param options.part - `body`, `querystring`, `params` or `headers`: used as the field name if the
 *   part as a whole is invalid.
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
  const violation = mostTelling(violations);
  const { keyword, instancePath, params } = violation;
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
  return fault(
    field,
    keyword === 'const' ? 'enum' : keyword,
    `${field} ${wordingOf(violation)}`,
  );
}

/**
 * Returns the description that the schema gives for its pattern, because a regular expression means
 * little to callers.
 */
function wordingOf({ keyword, params, parentSchema }: SchemaViolation): string {
  if (keyword === 'pattern') {
    const description = parentSchema?.patternDescription;
    return typeof description === 'string'
      ? description
      : 'has an invalid format';
  }
  return wordings[keyword]?.(params) ?? 'is not valid';
}

/**
 * Picks the most informative violation. A union fails with one error for each branch and one for
 * itself. Branches that list values are treated as one enumeration, including the values of a
 * discriminator; branches of different types are treated as one type error.
 */
function mostTelling(violations: readonly SchemaViolation[]): SchemaViolation {
  const [first] = violations;
  const union = violations.find(
    ({ keyword, instancePath }) =>
      keyword === 'anyOf' && first.instancePath.startsWith(instancePath),
  );
  if (!union) {
    return first;
  }
  const inside = violations.find(
    ({ instancePath }) =>
      instancePath.startsWith(union.instancePath) &&
      instancePath.length > union.instancePath.length,
  );
  const place = inside ?? union;
  const branches = violations.filter(
    each => each !== union && each.instancePath === place.instancePath,
  );
  const allowedValues = branches.flatMap(valuesOf);
  if (allowedValues.length > 0) {
    return { ...place, keyword: 'enum', params: { allowedValues } };
  }
  if (inside) {
    return inside;
  }
  if (branches.every(({ keyword }) => keyword === 'type')) {
    const types = [...new Set(branches.map(({ params }) => params.type))];
    return { ...union, keyword: 'type', params: { type: types } };
  }
  return branches.find(({ keyword }) => keyword !== 'type') ?? union;
}

/** Returns the values that a branch accepts, if it lists them. */
function valuesOf({ keyword, params }: SchemaViolation): unknown[] {
  if (keyword === 'const') {
    return [params.allowedValue];
  }
  return keyword === 'enum' ? [params.allowedValues].flat() : [];
}

function fault(field: string, constraint: string, message: string): Fault {
  return { kind: 'invalidRequest', message, field, constraint };
}

/** Converts a JSON pointer to a dotted path: `/scores/0/a~1b` becomes `scores.0.a/b`. */
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
