import { ConflictError, NotAllowedError } from '@backstage/errors';
import { ClusterApi } from './api/ClusterApi';
import { isAlreadyThere } from './api/errors';
import { isManaged, OWNER_ANNOTATION } from './objects/labels';
import { renderNamespace } from './objects/namespace';
import { Namespace } from './objects/types';

/** Whose namespace is meant. */
export interface NamespaceClaim {
  name: string;
  owner: string;
  /** See {@link KubernetesRuntimeOptions.instance}. */
  instance: string;
}

/**
 * Makes the namespace of an owner if it is not there.
 *
 * @throws NotAllowedError when it is another's, or nothing that the portal made.
 */
export async function ensureNamespace(
  api: ClusterApi,
  claim: NamespaceClaim,
): Promise<void> {
  const existing = await api.getNamespace(claim.name);
  if (existing) {
    checkNamespace(existing, claim);
    return;
  }
  try {
    await api.createNamespace(renderNamespace(claim));
  } catch (error) {
    if (!isAlreadyThere(error)) {
      throw error;
    }
    const made = await api.getNamespace(claim.name);
    if (made) {
      checkNamespace(made, claim);
    }
  }
}

/** @throws NotAllowedError when the namespace is not this owner's. */
export function checkNamespace(
  { metadata }: Namespace,
  { instance, name, owner }: NamespaceClaim,
): void {
  if (!isManaged(metadata.labels, instance)) {
    throw new NotAllowedError(
      `Namespace '${name}' of the cluster was not made by this portal; choose another one`,
    );
  }
  if (metadata.annotations?.[OWNER_ANNOTATION] !== owner) {
    throw new NotAllowedError(
      `Namespace '${name}' belongs to another user; choose another one`,
    );
  }
  if (metadata.deletionTimestamp) {
    throw new ConflictError(
      `Namespace '${name}' is being removed from the cluster; try again once it is gone`,
    );
  }
}
