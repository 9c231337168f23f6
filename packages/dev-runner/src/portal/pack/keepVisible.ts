import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The schemas of the configuration of all packages, which the backend reads when it starts. */
const SCHEMAS = '.config-schema.json';
const VISIBLE = /"(?:deepVisibility|visibility)":"frontend"/;

/** A JSON schema that may say who sees the value. */
interface Schema {
  visibility?: string;
  properties?: Record<string, Schema>;
  required?: string[];
}

/**
 * Reduces the built app's schemas of the configuration to the values that pages may see. The backend
 * reads the schemas only to find these values, and compiles all of them each time it starts, which
 * would take a tenth of the start.
 *
 * @param dist - absolute path of the built app.
 */
export function keepVisible(dist: string): void {
  const file = path.join(dist, SCHEMAS);
  const { schemas, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as {
    schemas: { value: Schema }[];
  };
  const visible = schemas.flatMap(schema => {
    const value = visiblePart(schema.value);
    return value ? [{ ...schema, value }] : [];
  });
  writeFileSync(file, JSON.stringify({ ...rest, schemas: visible }));
}

/**
 * Returns a schema without the properties that pages may not see; undefined if they see nothing of it.
 * Schemas that describe visible values in another way than by properties stay as they are.
 */
function visiblePart(schema: Schema): Schema | undefined {
  const { properties, required, ...rest } = schema;
  if (isVisible(rest)) {
    return schema;
  }
  const visible: Record<string, Schema> = {};
  for (const [name, property] of Object.entries(properties ?? {})) {
    const part = visiblePart(property);
    if (part) {
      visible[name] = part;
    }
  }
  return Object.keys(visible).length === 0
    ? undefined
    : {
        ...rest,
        properties: visible,
        required: required?.filter(name => name in visible),
      };
}

/** Checks whether pages see a value that a schema describes, or a part of the value. */
function isVisible(schema: Schema): boolean {
  return VISIBLE.test(JSON.stringify(schema));
}
