import swagger from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import type { Access, SecurityScheme } from '../auth/Access.ts';
import type { ErrorFormat } from '../errors/ErrorFormat.ts';
import { type FaultKind, faultStatus } from '../errors/ServiceError.ts';
import { operational } from './operationalRoutes.ts';
import type { ServiceApp } from './ServiceApp.ts';

/** Methods for which a body that is not JSON is rejected, even if the route expects none. */
const BODY_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

const ofCredentials = ['unauthenticated', 'forbidden'] as const;

/** Serves the OpenAPI 3.1 description at `/openapi.json`, generated from the routes' schemas. */
export async function describeApi(
  app: ServiceApp,
  options: { title: string; version: string; errors: ErrorFormat },
): Promise<void> {
  const { title, version, errors } = options;
  // Filled while routes are described; the description is generated afterwards.
  const schemes: Record<string, SecurityScheme['definition']> = {};
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version },
      components: { securitySchemes: schemes },
    },
    transform: ({ schema, url, route }) => {
      const { access, limit, operational: ours, faults } = route.config ?? {};
      for (const { authenticator } of access?.ways ?? []) {
        schemes[authenticator.scheme.name] = authenticator.scheme.definition;
      }
      return {
        url,
        schema: {
          ...asCallersSeeIt(schema),
          ...(access && { security: securityOf(access) }),
          response: {
            ...(!ours &&
              errorAnswers(errors, [
                ...usualFaults(schema, route.method),
                ...((access?.ways.length ?? 0) > 0 ? ofCredentials : []),
                ...(limit === false ? [] : (['rateLimited'] as const)),
                ...(faults ?? []),
              ])),
            ...((schema?.response as object | undefined) ?? {
              200: { description: 'Success' },
            }),
          },
        },
      };
    },
  });
  app.get(
    '/openapi.json',
    { config: operational, schema: { hide: true } },
    async () => app.swagger({ yaml: false }),
  );
}

/** Lists the security requirements: any one of them suffices; an empty one means no credential. */
function securityOf({ ways, optional }: Access): Record<string, string[]>[] {
  return [
    ...ways.map(({ authenticator }) => ({ [authenticator.scheme.name]: [] })),
    ...(optional ? [{}] : []),
  ];
}

/** Lists the errors that the kit may return for requests with this schema. */
function usualFaults(
  schema: FastifySchema = {},
  method: string | string[],
): FaultKind[] {
  const { querystring, params } = schema;
  const readsBody = [method].flat().some(each => BODY_METHODS.has(each));
  return [
    'internal',
    'unavailable',
    ...(readsBody || querystring || params
      ? (['invalidRequest'] as const)
      : []),
    ...(readsBody ? (['payloadTooLarge'] as const) : []),
    // A path parameter may refer to something that does not exist.
    ...(params ? (['notFound'] as const) : []),
  ];
}

const descriptions: Readonly<Record<FaultKind, string>> = {
  invalidRequest: 'The request is not valid',
  unauthenticated: 'The credential is missing or not valid',
  forbidden: 'The caller has no permission',
  notFound: 'Not found',
  methodNotAllowed: 'The path does not support this method',
  conflict: 'The request conflicts with the current state',
  preconditionFailed: 'If-Match names an older state',
  payloadTooLarge: 'The body is too large',
  unsupportedMediaType: 'The body is not JSON',
  rateLimited: 'The rate limit is exceeded',
  internal: 'The service failed',
  unavailable: 'The service is temporarily unavailable',
};

function errorAnswers(
  errors: ErrorFormat,
  kinds: readonly FaultKind[],
): object {
  return Object.fromEntries(
    kinds.map(kind => [
      faultStatus[kind],
      { description: descriptions[kind], ...errors.schema },
    ]),
  );
}

interface Shape {
  required?: readonly string[];
  properties?: Record<string, Shape & { default?: unknown }>;
  items?: Shape;
}

/**
 * Returns a route's schema from the caller's point of view: a field with a default is always
 * present for handlers but optional for callers.
 */
function asCallersSeeIt(schema: FastifySchema = {}): FastifySchema {
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
