import type { Parameter, Route, Schema } from './Route.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Schemas nested more deeply accept anything, since a description may be recursive. */
const DEEPEST = 12;

interface Operation {
  parameters?: Parameter[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
  responses?: Record<string, unknown>;
}

type PathItem = Partial<Record<(typeof METHODS)[number], Operation>> & {
  parameters?: Parameter[];
};

/** Reads the routes of an OpenAPI description, with references resolved. */
export function readRoutes(description: object): Route[] {
  const { paths } = resolve(description, description, 0) as {
    paths: Record<string, PathItem>;
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap(method => {
      const operation = item[method];
      return operation ? [routeOf(path, method, item, operation)] : [];
    }),
  );
}

function routeOf(
  path: string,
  method: string,
  item: PathItem,
  { parameters = [], requestBody, responses = {} }: Operation,
): Route {
  return {
    method: method.toUpperCase(),
    path,
    parameters: [...(item.parameters ?? []), ...parameters],
    bodies: Object.fromEntries(
      Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [
        type,
        schema ?? {},
      ]),
    ),
    statuses: new Set(Object.keys(responses).map(Number)),
  };
}

/**
 * Replaces references by what they refer to; by an empty schema beyond {@link DEEPEST} nested ones.
 */
function resolve(value: unknown, root: object, references: number): unknown {
  if (Array.isArray(value)) {
    return value.map(each => resolve(each, root, references));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if ('$ref' in value && typeof value.$ref === 'string') {
    return references === DEEPEST
      ? {}
      : resolve(lookUp(value.$ref, root), root, references + 1);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      resolve(member, root, references),
    ]),
  );
}

/** Returns the value that a reference such as `#/components/schemas/Workspace` points to. */
function lookUp(reference: string, root: object): unknown {
  return reference
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, part) => (value as Record<string, unknown> | undefined)?.[part],
      root,
    );
}
