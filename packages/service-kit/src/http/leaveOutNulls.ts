import type { TSchema } from 'typebox';

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
