import swagger from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import type { Access, SecurityScheme } from '../auth/Access.ts';
import type { ErrorFormat } from '../errors/index.ts';
import { operational } from './operational.ts';
import type { ServiceApp } from './ServiceApp.ts';

/** Serves the OpenAPI 3.1 description at `/openapi.json`, made of the routes' schemas. */
export async function describeApi(
  app: ServiceApp,
  options: { title: string; version: string; errors: ErrorFormat },
): Promise<void> {
  const { title, version, errors } = options;
  // Filled while routes are described; the description is made of it after that.
  const schemes: Record<string, SecurityScheme['definition']> = {};
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version },
      components: { securitySchemes: schemes },
    },
    transform: ({ schema, url, route }) => {
      const { access, limit, operational: ours } = route.config ?? {};
      for (const { authenticator } of access?.ways ?? []) {
        schemes[authenticator.scheme.name] = authenticator.scheme.definition;
      }
      return {
        url,
        schema: {
          ...schema,
          ...(access && { security: securityOf(access) }),
          response: {
            ...(!ours &&
              errorAnswers(errors, {
                credentials: (access?.ways.length ?? 0) > 0,
                input: hasInput(schema),
                limited: limit !== false,
              })),
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

/** Any one way is enough; the empty one stands for no credential. */
function securityOf({ ways, optional }: Access): Record<string, string[]>[] {
  return [
    ...ways.map(({ authenticator }) => ({ [authenticator.scheme.name]: [] })),
    ...(optional ? [{}] : []),
  ];
}

function hasInput(schema: FastifySchema | undefined): boolean {
  return Boolean(schema?.body ?? schema?.querystring ?? schema?.params);
}

function errorAnswers(
  errors: ErrorFormat,
  route: { credentials: boolean; input: boolean; limited: boolean },
): object {
  const answer = (description: string) => ({ description, ...errors.schema });
  return {
    ...(route.input && { 400: answer('The request is not valid') }),
    ...(route.credentials && {
      401: answer('The credential is missing or not valid'),
      403: answer('The caller has no permission'),
    }),
    ...(route.limited && { 429: answer('The minute has no requests left') }),
    500: answer('The service failed'),
    503: answer('The service is temporarily unavailable'),
  };
}
