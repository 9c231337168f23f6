import { NotAllowedError } from '@backstage/errors';

/** Whose a namespace is, or is to be. */
export interface NamespaceClaim {
  name: string;
  /** Entity ref of a user, or the subject of a service token. */
  owner: string;
}

/** @throws NotAllowedError when a namespace is another's. */
export function checkNamespaceOwner(
  wanted: NamespaceClaim,
  owner: string | undefined,
): void {
  if (owner !== undefined && owner !== wanted.owner) {
    throw new NotAllowedError(
      `Namespace '${wanted.name}' belongs to another user; choose another one`,
    );
  }
}
