import type { FastifySchema } from 'fastify';

interface Shape {
  required?: readonly string[];
  properties?: Record<string, Shape & { default?: unknown }>;
  items?: Shape;
}

/**
 * A route's schema for the description of the interface: a field that has a default is
 * there for handlers, and may be left out by callers.
 */
export function asCallersSeeIt(schema: FastifySchema = {}): FastifySchema {
  const { body, querystring } = schema;
  return {
    ...schema,
    ...(body !== undefined && { body: relax(body as Shape) }),
    ...(querystring !== undefined && {
      querystring: relax(querystring as Shape),
    }),
  };
}

function relax(shape: Shape): Shape {
  const { properties, required = [], items } = shape;
  return {
    ...shape,
    ...(items && { items: relax(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, relax(each)]),
      ),
      required: required.filter(name => !('default' in properties[name])),
    }),
  };
}
