import { NotFoundError } from '@backstage/errors';
import { SignInResolver } from '@backstage/plugin-auth-node';
import { DevSignIn } from './authenticator';

/** Time after startup within which the catalog must have read its first users. */
const CATALOG_WAIT_MS = 15_000;
const CATALOG_POLL_MS = 250;

function isNotFound(error: unknown): error is NotFoundError {
  return error instanceof Error && error.name === 'NotFoundError';
}

/**
 * Creates a resolver that signs in the catalog user with the requested name. Shortly after startup, waits
 * until the catalog has read its users.
 *
 * @throws NotFoundError if the user does not exist.
 */
export function createCatalogSignInResolver(
  options: { waitMs?: number; startedAt?: number } = {},
): SignInResolver<DevSignIn> {
  const { waitMs = CATALOG_WAIT_MS, startedAt = Date.now() } = options;
  return async ({ result }, context) => {
    const entityRef = { name: result.userName, namespace: 'default' };
    for (;;) {
      try {
        return await context.signInWithCatalogUser({ entityRef });
      } catch (error) {
        if (!isNotFound(error)) {
          throw error;
        }
        if (Date.now() - startedAt > waitMs) {
          throw new NotFoundError(
            `No user '${result.userName}' in the catalog; users are declared in catalog-info.yaml`,
          );
        }
      }
      await new Promise(resolve => setTimeout(resolve, CATALOG_POLL_MS));
    }
  };
}
