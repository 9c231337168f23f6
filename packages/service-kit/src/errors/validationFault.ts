import type { Fault } from './ServiceError.ts';

/** The parts of an Ajv error that are read here. */
export interface SchemaViolation {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
  /** The schema that holds the keyword. */
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
  const violation = mostTelling(violations);
  const { keyword, instancePath, params } = violation;
  const path = toDotted(instancePath);
  if (keyword === 'required') {
    // Ajv names one, TypeBox all of them.
    const [missing] = [
      params.missingProperty ?? params.requiredProperties,
    ].flat();
    const field = join(path, String(missing));
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

/** A regular expression tells people nothing: a schema says beside it what it means. */
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
 * A union fails with an error for each branch and one for itself. Branches that list
 * values are one enumeration, also of a member that tells objects apart; branches of
 * other types are one question of type.
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

/** What a branch would have taken, where it lists that. */
function valuesOf({ keyword, params }: SchemaViolation): unknown[] {
  if (keyword === 'const') {
    return [params.allowedValue];
  }
  return keyword === 'enum' ? [params.allowedValues].flat() : [];
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
