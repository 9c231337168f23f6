import { parseInstant } from '@slipway/entity-contract';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormatsModule from 'ajv-formats';
import fastJsonStringify from 'fast-json-stringify';
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import type { SchemaViolation } from '../errors/validationFault.ts';
import { isJsonObject } from './isJsonObject.ts';

// A CommonJS module whose types claim that it is an ES module.
const addFormats =
  addFormatsModule as unknown as typeof addFormatsModule.default;

const common = {
  useDefaults: true,
  strict: false,
  // Errors include the schema, which is used for their message.
  verbose: true,
  // Optimised code is no faster once it is hot, but takes twice the time to compile.
  code: { optimize: false },
  // Tests and development validate all schemas; in production, compiling the meta-schema would only
  // delay the first request.
  validateSchema: process.env.NODE_ENV !== 'production',
} as const;
// All services of a process share these, and the functions that they compile.
const bodies = withFormats(new Ajv(common));
const queries = withFormats(new Ajv({ ...common, coerceTypes: 'array' }));
const texts = withFormats(new Ajv({ ...common, coerceTypes: true }));

/**
 * In production, compiles on first use: compiling every schema of a service takes a fifth of its
 * startup time, and most of the result is never used. Elsewhere, compiles immediately, so that an
 * invalid schema is noticed.
 */
function onFirstUse<A, R>(compile: () => (input: A) => R): (input: A) => R {
  if (process.env.NODE_ENV !== 'production') {
    return compile();
  }
  let compiled: ((input: A) => R) | undefined;
  return input => {
    compiled ??= compile();
    return compiled(input);
  };
}

type Check = (input: unknown) => true | { error: ErrorObject[] };

/**
 * Makes a validator return its errors; otherwise Fastify expects them as a property of the
 * function.
 */
function check(validate: ValidateFunction): Check {
  return input => validate(input) || { error: validate.errors ?? [] };
}

/**
 * Returns a function that compiles each schema once. Schemas with equal content count as one,
 * because some routes build theirs again for each service.
 */
function once<R>(compile: (schema: TSchema) => R): (schema: TSchema) => R {
  const bySchema = new WeakMap<TSchema, R>();
  const byContent = new Map<string, R>();
  return schema => {
    const known = bySchema.get(schema);
    if (known) {
      return known;
    }
    const content = JSON.stringify(schema);
    const compiled = byContent.get(content) ?? compile(schema);
    byContent.set(content, compiled);
    bySchema.set(schema, compiled);
    return compiled;
  };
}

const bodyCheck = once(createBodyCheck);
const queryCheck = once(schema => check(queries.compile(schema)));
const textCheck = once(schema => check(texts.compile(schema)));
const serializer = once<(answer: unknown) => string>(schema =>
  fastJsonStringify(schema),
);

/**
 * Compiles request schemas. Strings are coerced to numbers only in queries and paths, where every
 * value is a string: in a body, `"5"` is not a number. A null in a body counts as a missing
 * optional field. Validation stops at the first error, so that a malicious body costs no more than
 * a valid one.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({
  schema,
  httpPart,
}) =>
  onFirstUse(() =>
    httpPart === 'body'
      ? bodyCheck(schema)
      : (httpPart === 'querystring' ? queryCheck : textCheck)(schema),
  );

/**
 * Validates a value like the body of a request, e.g. one element of a list. Compiles the schema on
 * first use, and stops at the first error.
 *
 * @param value - modified like a body: gets defaults, and loses nulls of optional fields.
 * @returns the violations found; empty if the value is valid.
 */
export function violationsOf(
  schema: TSchema,
  value: unknown,
): readonly SchemaViolation[] {
  const checked = bodyCheck(schema)(value);
  return checked === true ? [] : (checked.error as SchemaViolation[]);
}

/** Compiles response schemas. */
export const compileSerializer: FastifySerializerCompiler<TSchema> = ({
  schema,
}) => onFirstUse(() => serializer(schema));

function createBodyCheck(schema: TSchema): Check {
  const isValid = check(bodies.compile(schema));
  const leaveOutNulls = leavingOutNulls(schema);
  return leaveOutNulls
    ? body => {
        leaveOutNulls(body);
        return isValid(body);
      }
    : isValid;
}

/** Adds the formats of JSON Schema; `date-time` accepts ISO 8601, not only RFC 3339. */
function withFormats(ajv: Ajv): Ajv {
  addFormats(ajv);
  ajv.addFormat('date-time', text => parseInstant(text) !== undefined);
  return ajv;
}

/** The parts of a JSON schema that are used here. */
interface Shape {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Shape[];
  required?: string[];
  properties?: Record<string, Shape>;
  patternProperties?: Record<string, Shape>;
  items?: Shape;
  default?: unknown;
}

type Removal = (value: unknown) => void;

interface Member {
  name: string;
  mayLeave: boolean;
  inside: Removal | undefined;
}

/**
 * Creates a function that removes nulls that clients send instead of omitting a field. It removes
 * them from optional fields and fields with a default, at any depth, unless null is a valid value.
 * Schemas in unions are left alone.
 *
 * @returns a function that modifies a value in place, or undefined if the schema has no such
 *   fields.
 */
export function leavingOutNulls(schema: TSchema): Removal | undefined {
  return removalOf(schema as Shape);
}

function removalOf(shape: Shape): Removal | undefined {
  const ofElement = shape.items && removalOf(shape.items);
  if (ofElement) {
    return value => {
      if (Array.isArray(value)) {
        value.forEach(ofElement);
      }
    };
  }
  const [ofValue] = Object.values(shape.patternProperties ?? {})
    .map(removalOf)
    .filter(each => each !== undefined);
  const members = membersOf(shape);
  if (members.length === 0 && !ofValue) {
    return undefined;
  }
  return value => {
    if (isJsonObject(value)) {
      leaveOut(value, members);
      if (ofValue) {
        Object.values(value).forEach(ofValue);
      }
    }
  };
}

function membersOf({ properties = {}, required = [] }: Shape): Member[] {
  return Object.entries(properties)
    .map(([name, shape]) => ({
      name,
      mayLeave:
        (!required.includes(name) || shape.default !== undefined) &&
        !takesNull(shape),
      inside: removalOf(shape),
    }))
    .filter(({ mayLeave, inside }) => mayLeave || inside);
}

function leaveOut(value: Record<string, unknown>, members: readonly Member[]) {
  for (const { name, mayLeave, inside } of members) {
    if (mayLeave && value[name] === null) {
      delete value[name];
    } else {
      inside?.(value[name]);
    }
  }
}

/** Checks whether a schema accepts null, which includes schemas that specify no type. */
function takesNull(shape: Shape): boolean {
  if (shape.anyOf) {
    return shape.anyOf.some(takesNull);
  }
  if (shape.enum) {
    return shape.enum.includes(null);
  }
  if ('const' in shape) {
    return shape.const === null;
  }
  return shape.type === undefined || [shape.type].flat().includes('null');
}
