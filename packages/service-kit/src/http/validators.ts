import { Ajv } from 'ajv';
import addFormatsModule from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { parseInstant } from '../time/parseInstant.ts';

// A CommonJS module whose types say that it is an ES module.
const addFormats =
  addFormatsModule as unknown as typeof addFormatsModule.default;

/**
 * Compiles the schemas of requests. Texts become numbers only where everything is
 * text, in queries and paths: in a body `"5"` is no number. A null of a body is as good as
 * nothing where a field is optional. The first fault ends the check, so that a hostile
 * body costs no more than a good one.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<TSchema> {
  // Verbose: an error brings the schema along, which words it.
  const common = { useDefaults: true, strict: false, verbose: true } as const;
  const bodies = withFormats(new Ajv(common));
  const queries = withFormats(new Ajv({ ...common, coerceTypes: 'array' }));
  const texts = withFormats(new Ajv({ ...common, coerceTypes: true }));
  return ({ schema, httpPart }) => {
    if (httpPart === 'body') {
      return bodyCheck(bodies, schema);
    }
    return (httpPart === 'querystring' ? queries : texts).compile(schema);
  };
}

function bodyCheck(
  ajv: Ajv,
  schema: TSchema,
): ReturnType<FastifySchemaCompiler<TSchema>> {
  const check = ajv.compile(schema);
  const leaveOutNulls = leavingOutNulls(schema);
  return leaveOutNulls
    ? body => {
        leaveOutNulls(body);
        return check(body) || { error: check.errors ?? [] };
      }
    : check;
}

/** The formats of JSON Schema; `date-time` is what ISO 8601 has it to be, not RFC 3339 alone. */
function withFormats(ajv: Ajv): Ajv {
  addFormats(ajv);
  ajv.addFormat('date-time', text => parseInstant(text) !== undefined);
  return ajv;
}

/** What is read here of a JSON schema. */
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
 * Makes what takes a null for a field that was left out, as many clients write it:
 * optional fields and those with a default, at any depth, unless null means something
 * to them. Schemas in unions are left alone.
 *
 * @returns a function that changes a value in place; undefined where a schema has nothing
 *   to leave out.
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
    if (isRecord(value)) {
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

/** Tells whether null is a value to a schema, as it is to one that says nothing of types. */
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
