import {
  type Access,
  type Caller,
  ForbiddenError,
  UnauthenticatedError,
} from '@slipway/service-kit';
import type { KnownCredentials } from './KnownCredentials.ts';

const BEARER = /^Bearer +(\S+) *$/i;
const SCOPE = 'project:';

/** Lets in who has an API token of a project, as `Authorization: Bearer`. */
export function apiTokenAccess(known: KnownCredentials): Access {
  return {
    optional: false,
    ways: [
      {
        authenticator: {
          place: 'header:authorization',
          scheme: {
            name: 'apiToken',
            definition: { type: 'http', scheme: 'bearer' },
          },
          challenge: 'Bearer',
          async authenticate(request, addresses) {
            const { authorization = '' } = request.headers;
            const [, token] = BEARER.exec(authorization) ?? [];
            if (token === undefined) {
              return undefined;
            }
            const owner = await known.find(token, {
              kind: 'query',
              beforeGuess: () => addresses.assertLeft(request),
            });
            if (!owner) {
              throw new UnauthenticatedError('The API token is not valid', {
                challenge: 'Bearer error="invalid_token"',
              });
            }
            const { projectId, credentialId } = owner;
            return {
              caller: {
                kind: 'bearer',
                id: credentialId,
                scopes: [SCOPE + projectId],
              },
              budget: `token:${credentialId}`,
            };
          },
        },
      },
    ],
  };
}

/** The project of the caller's token; undefined for users of the portal, who see all. */
export function projectOfToken(caller: Caller): string | undefined {
  return caller.kind === 'bearer'
    ? caller.scopes.find(scope => scope.startsWith(SCOPE))?.slice(SCOPE.length)
    : undefined;
}

/** @throws ForbiddenError for a token of another project. */
export function assertMayRead(caller: Caller, projectId: string): void {
  const own = projectOfToken(caller);
  if (own !== undefined && own !== projectId) {
    throw new ForbiddenError('The API token is of another project');
  }
}
