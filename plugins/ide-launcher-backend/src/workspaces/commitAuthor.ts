import { setTimeout as delay } from 'node:timers/promises';
import { AuthService, LoggerService } from '@backstage/backend-plugin-api';
import { stringifyError } from '@backstage/errors';
import type { CatalogService } from '@backstage/plugin-catalog-node';
import { CommitAuthor } from '../runtimes/WorkspaceRuntime';

/** A start does not wait longer than this for the catalog. */
const LOOKUP_TIMEOUT_MS = 3_000;

/**
 * Returns a function that finds the author of an owner's commits in the catalog: the display name, or else
 * the user's name, and the email address; null without an email address, or if the catalog does not respond.
 */
export function authorInCatalog(deps: {
  auth: AuthService;
  catalog: Pick<CatalogService, 'getEntityByRef'>;
  logger: LoggerService;
}): (owner: string) => Promise<CommitAuthor | null> {
  const { auth, catalog, logger } = deps;
  const find = async (owner: string) => {
    const credentials = await auth.getOwnServiceCredentials();
    const entity = await catalog.getEntityByRef(owner, { credentials });
    const { profile } = (entity?.spec ?? {}) as {
      profile?: { displayName?: unknown; email?: unknown };
    };
    // Git rejects commits of an author whose name or email address is empty.
    const name = textOf(profile?.displayName) || entity?.metadata.name;
    const email = textOf(profile?.email);
    return name && email ? { name, email } : null;
  };
  return async owner => {
    if (!/^user:/i.test(owner)) {
      return null;
    }
    const found = find(owner).catch(error => {
      logger.debug(`No commit author for ${owner}: ${stringifyError(error)}`);
      return null;
    });
    return Promise.race([
      found,
      delay(LOOKUP_TIMEOUT_MS, null, { ref: false }),
    ]);
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
