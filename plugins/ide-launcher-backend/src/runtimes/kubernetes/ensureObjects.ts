import { createHash } from 'node:crypto';
import { ConflictError, NotAllowedError } from '@backstage/errors';
import { ClusterApi } from './api/ClusterApi';
import {
  isAlreadyThere,
  isConflict,
  type ObjectKey,
} from '@slipway/cluster-client';
import { renderNamespace } from './objects/devWorkspace';
import { PodSecurityLevel } from './options';
import {
  WORKSPACE_ID_LABEL,
  DevWorkspace,
  DevWorkspaceTemplate,
  NetworkPolicy,
  ObjectMeta,
  isManaged,
  OWNER_ANNOTATION,
  Namespace,
} from './objects/types';

/** Hash of the spec that the portal wrote; the cluster fills in defaults, so specs cannot be compared. */
const HASH_ANNOTATION = 'slipway.dev/spec-hash';

/** Concurrent changes of the same object are rare; five in a row are unlikely. */
const MAX_ATTEMPTS = 5;

/**
 * Creates the workspace, or updates it if it is stopped, so that a newer editor or another routing class
 * takes effect on the next start.
 *
 * @param untilGone - Waits until an object that is being deleted is gone; its name is free then.
 * @throws ConflictError if a different workspace has the name.
 */
export async function ensureWorkspace(
  api: ClusterApi,
  wanted: DevWorkspace,
  untilGone: (workspace: DevWorkspace) => Promise<void>,
): Promise<DevWorkspace> {
  const desired = withHash(wanted);
  const key = keyOf(desired);
  return attempt(async () => {
    const existing = await api.getWorkspace(key);
    if (!existing) {
      return api.createWorkspace(desired);
    }
    if (existing.metadata.deletionTimestamp) {
      await untilGone(existing);
      return undefined;
    }
    checkSameWorkspace(existing, desired);
    if (existing.spec.started || hashOf(existing) === hashOf(desired)) {
      return existing;
    }
    return api.replaceWorkspace({
      ...existing,
      metadata: mergeMetadata(existing.metadata, desired.metadata),
      spec: desired.spec,
    });
  });
}

/** Functions that read and write objects of one kind. */
interface ObjectAccess<T> {
  get(key: ObjectKey): Promise<T | undefined>;
  create(object: T): Promise<T>;
  replace(object: T): Promise<T>;
}

/** Creates or updates the editor template of a workspace. */
export function ensureTemplate(
  api: ClusterApi,
  wanted: DevWorkspaceTemplate,
): Promise<DevWorkspaceTemplate> {
  return ensureObject<DevWorkspaceTemplate>(wanted, {
    get: key => api.getTemplate(key),
    create: template => api.createTemplate(template),
    replace: template => api.replaceTemplate(template),
  });
}

/** Creates or updates the network policy of a namespace. */
export function ensureNetworkPolicy(
  api: ClusterApi,
  wanted: NetworkPolicy,
): Promise<NetworkPolicy> {
  return ensureObject<NetworkPolicy>(wanted, {
    get: key => api.getNetworkPolicy(key),
    create: policy => api.createNetworkPolicy(policy),
    replace: policy => api.replaceNetworkPolicy(policy),
  });
}

function ensureObject<T extends DevWorkspaceTemplate | NetworkPolicy>(
  wanted: T,
  access: ObjectAccess<T>,
): Promise<T> {
  const desired = withHash(wanted);
  const key = keyOf(desired);
  return attempt(async () => {
    const existing = await access.get(key);
    if (!existing) {
      return access.create(desired);
    }
    const [owner] = existing.metadata.ownerReferences ?? [];
    const [desiredOwner] = desired.metadata.ownerReferences ?? [];
    if (
      owner?.uid === desiredOwner?.uid &&
      hashOf(existing) === hashOf(desired)
    ) {
      return existing;
    }
    return access.replace({
      ...desired,
      metadata: mergeMetadata(existing.metadata, desired.metadata),
    });
  });
}

/** Runs an action until it returns a result; retries it if it conflicts with a concurrent change. */
async function attempt<T>(action: () => Promise<T | undefined>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      const done = await action();
      if (done) {
        return done;
      }
    } catch (error) {
      const passing = isConflict(error) || isAlreadyThere(error);
      if (!passing || count >= MAX_ATTEMPTS) {
        throw error;
      }
    }
  }
}

function checkSameWorkspace(
  existing: DevWorkspace,
  desired: DevWorkspace,
): void {
  const [found, id] = [existing, desired].map(
    ({ metadata }) => metadata.labels?.[WORKSPACE_ID_LABEL],
  );
  if (found !== id) {
    const { name, namespace } = existing.metadata;
    throw new ConflictError(
      `The cluster has another workspace named '${name}' in namespace '${namespace}'`,
    );
  }
}

function withHash<
  T extends DevWorkspace | DevWorkspaceTemplate | NetworkPolicy,
>(object: T): T {
  const hash = createHash('sha256')
    .update(JSON.stringify(object.spec))
    .digest('hex');
  return {
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { ...object.metadata.annotations, [HASH_ANNOTATION]: hash },
    },
  };
}

function hashOf(object: { metadata: ObjectMeta }): string | undefined {
  return object.metadata.annotations?.[HASH_ANNOTATION];
}

function keyOf({ metadata }: { metadata: ObjectMeta }): ObjectKey {
  return { name: metadata.name, namespace: metadata.namespace ?? '' };
}

/** Keeps metadata written by others, in particular the resourceVersion. */
function mergeMetadata(existing: ObjectMeta, desired: ObjectMeta): ObjectMeta {
  return {
    ...existing,
    labels: { ...existing.labels, ...desired.labels },
    annotations: { ...existing.annotations, ...desired.annotations },
    ownerReferences: desired.ownerReferences ?? existing.ownerReferences,
  };
}

/** A namespace and its intended owner. */
interface NamespaceClaim {
  name: string;
  owner: string;
  /** See {@link KubernetesRuntimeOptions.instance}. */
  instance: string;
}

/** A namespace that is created if it does not exist. */
interface WantedNamespace extends NamespaceClaim {
  podSecurity: PodSecurityLevel;
}

/**
 * Creates the namespace of an owner if it does not exist.
 *
 * @throws NotAllowedError if it belongs to another owner, or was not created by the portal.
 */
export async function ensureNamespace(
  api: ClusterApi,
  claim: WantedNamespace,
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

/**
 * Checks that a namespace was created by this portal for this owner.
 *
 * @throws NotAllowedError if not.
 */
export function checkNamespace(
  { metadata }: Namespace,
  { instance, name, owner }: NamespaceClaim,
): void {
  if (!isManaged(metadata.labels, instance)) {
    throw new NotAllowedError(
      `Namespace '${name}' of the cluster was not created by this portal; choose another one`,
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
