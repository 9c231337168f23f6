/** The type of a field in a REST API. */
type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'date-time';

/** A REST API about one kind of object. */
export interface RestPlan {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The service that provides it. */
  readonly provider: string;
  /** The name of the object. */
  readonly object: string;
  /** Fields by name; the first one is its id, which the service sets. */
  readonly fields: Readonly<Record<string, FieldType>>;
  /** Lines of a method, a path and a summary, e.g. "GET /carts/{cartId} Read a cart". */
  readonly operations: readonly string[];
}

/** The body of errors, which is the same in all APIs. */
const PROBLEM = {
  type: 'object',
  required: ['title', 'status'],
  properties: {
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
  },
};

/** Returns the OpenAPI 3.0 definition of a REST API as JSON. */
export function openApiOf(plan: RestPlan): string {
  const paths: Record<string, Record<string, object>> = {};
  for (const line of plan.operations) {
    const [method, path, ...summary] = line.split(' ');
    (paths[path] ??= {})[method.toLocaleLowerCase('en-US')] = operationOf(
      plan,
      { method, path, summary: summary.join(' ') },
    );
  }
  const definition = {
    openapi: '3.0.3',
    info: {
      title: plan.title,
      version: '1.0.0',
      description: `${plan.description} Part of the demo organisation.`,
    },
    servers: [{ url: `https://api.harbour-goods.example/${plan.name}/v1` }],
    tags: [{ name: plan.name }],
    paths,
    components: {
      schemas: { [plan.object]: schemaOf(plan), Problem: PROBLEM },
    },
  };
  return JSON.stringify(definition, null, 2);
}

function operationOf(
  plan: RestPlan,
  options: { method: string; path: string; summary: string },
): object {
  const { method, path, summary } = options;
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const hasBody = method === 'POST' || method === 'PUT';
  return {
    tags: [plan.name],
    summary,
    operationId: idOf(summary),
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody && {
      requestBody: { required: true, content: jsonOf(refTo(plan.object)) },
    }),
    responses: {
      ...successOf(plan, { method, path }),
      ...(hasBody && { 400: problem('A field is missing or invalid') }),
      ...(parameters.length > 0 && { 404: problem('Not found') }),
    },
  };
}

/** Returns the response of a successful call: an object, a list of them, or none. */
function successOf(
  { object }: RestPlan,
  { method, path }: { method: string; path: string },
): object {
  if (method === 'DELETE') {
    return { 204: { description: 'Done' } };
  }
  const isList = method === 'GET' && !path.endsWith('}');
  const schema = isList
    ? {
        type: 'object',
        required: ['items'],
        properties: { items: { type: 'array', items: refTo(object) } },
      }
    : refTo(object);
  return {
    [method === 'POST' ? 201 : 200]: {
      description: isList ? 'A list' : object,
      content: jsonOf(schema),
    },
  };
}

function schemaOf({ fields }: RestPlan): object {
  const [id] = Object.keys(fields);
  return {
    type: 'object',
    required: Object.keys(fields),
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, type]) => [
        name,
        {
          ...(type === 'date-time'
            ? { type: 'string', format: type }
            : { type }),
          ...(name === id && { readOnly: true }),
        },
      ]),
    ),
  };
}

/** Returns a summary as a name, without articles: "Read a cart" becomes readCart. */
function idOf(summary: string): string {
  return summary
    .split(/[^A-Za-z]+/)
    .filter(word => !['a', 'an', 'the'].includes(word))
    .map((word, index) =>
      index === 0
        ? word.toLocaleLowerCase('en-US')
        : word[0].toLocaleUpperCase('en-US') + word.slice(1),
    )
    .join('');
}

function refTo(schema: string): object {
  return { $ref: `#/components/schemas/${schema}` };
}

function jsonOf(schema: object): object {
  return { 'application/json': { schema } };
}

function problem(description: string): object {
  const schema = refTo('Problem');
  return { description, content: { 'application/problem+json': { schema } } };
}
