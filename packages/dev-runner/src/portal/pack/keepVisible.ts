import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** File with the configuration schemas of all packages, which the backend reads when it starts. */
const SCHEMAS = '.config-schema.json';
const VISIBLE = /"(?:deepVisibility|visibility)":"frontend"/;

/** A JSON schema that may declare the visibility of its value. */
interface Schema {
  visibility?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
}

/**
 * Removes the parts of the built app's configuration schemas that describe values hidden from pages.
 * The backend reads these schemas only to select the configuration of pages. It compiles them each
 * time it starts; compiling all of them would take a tenth of the startup time.
 *
 * @param dist - absolute path of the built app.
 */
export function keepVisible(dist: string): void {
  const file = path.join(dist, SCHEMAS);
  const { schemas, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as {
    schemas: { value: Schema }[];
  };
  const open = new Set(schemas.flatMap(({ value }) => openPaths(value, '')));
  const visible = schemas.flatMap(schema => {
    const value = visiblePart(schema.value, '', open);
    return value ? [{ ...schema, value }] : [];
  });
  writeFileSync(file, JSON.stringify({ ...rest, schemas: visible }));
}

/**
 * Lists the paths of values of which pages see more than declared properties, such as all additional
 * properties. Pages would see a secret among those if the schema that declares it secret were dropped.
 */
function openPaths(schema: Schema, at: string): string[] {
  const { properties, visibility, ...rest } = schema;
  return [
    ...(isVisible(rest) ? [at] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, property]) =>
      openPaths(property, pathOf(at, name)),
    ),
  ];
}

/**
 * Returns a schema without the properties that pages may not see; undefined if nothing remains. A
 * schema that declares visibility outside of `properties`, e.g. in `items`, is returned unchanged.
 *
 * @param open - the values of which every schema is kept, see {@link openPaths}.
 */
function visiblePart(
  schema: Schema,
  at: string,
  open: ReadonlySet<string>,
): Schema | undefined {
  const { properties, required, additionalProperties, ...rest } = schema;
  if (open.has(at) || isVisible(rest)) {
    return schema;
  }
  const visible: Record<string, Schema> = {};
  for (const [name, property] of Object.entries(properties ?? {})) {
    const part = visiblePart(property, pathOf(at, name), open);
    if (part) {
      visible[name] = part;
    }
  }
  // Without `additionalProperties`, which would now refuse the properties that are left out.
  return Object.keys(visible).length === 0
    ? undefined
    : {
        ...rest,
        properties: visible,
        required: required?.filter(name => name in visible),
      };
}

/** Returns a key that is unique for a property of the object at a path. */
function pathOf(parent: string, name: string): string {
  return JSON.stringify([parent, name]);
}

/** Checks whether a schema makes its value, or any part of the value, visible to pages. */
function isVisible(schema: Schema): boolean {
  return VISIBLE.test(JSON.stringify(schema));
}
