import { NotAllowedError } from '@backstage/errors';
import type { Knex } from 'knex';

/** A namespace and its current or prospective owner. */
interface NamespaceClaim {
  name: string;
  /** Entity ref of a user, or the subject of a service token. */
  owner: string;
}

/**
 * Checks a claim against the current owner of the namespace, undefined for none.
 *
 * @throws NotAllowedError if the namespace belongs to another owner.
 */
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

const TABLE = 'workspace_namespaces';

/** A claim can be released between reading and locking it, but rarely several times in a row. */
const MAX_ATTEMPTS = 5;

/** Returns the owner of a namespace; undefined if it has none. */
export async function namespaceOwner(
  db: Knex,
  name: string,
): Promise<string | undefined> {
  const row = await db<NamespaceClaim>(TABLE).where({ name }).first();
  return row?.owner;
}

/**
 * Claims a namespace for its owner, in the transaction that adds a workspace to it. The claim
 * stays locked until the transaction ends.
 *
 * @throws NotAllowedError if it belongs to another owner.
 */
export async function claimNamespace(
  tx: Knex.Transaction,
  { name, owner }: NamespaceClaim,
): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    await tx<NamespaceClaim>(TABLE)
      .insert({ name, owner })
      .onConflict('name')
      .ignore();
    const claim = await tx<NamespaceClaim>(TABLE)
      .where({ name })
      .forUpdate()
      .first();
    if (claim) {
      checkNamespaceOwner({ name, owner }, claim.owner);
      return;
    }
  }
  throw new Error(`Namespace ${name} could not be claimed`);
}

/** Releases a namespace if this transaction removes its last workspace. */
export async function releaseNamespace(
  tx: Knex.Transaction,
  name: string,
): Promise<void> {
  const left = await tx('workspaces').where({ namespace: name }).first('id');
  if (!left) {
    await tx<NamespaceClaim>(TABLE).where({ name }).delete();
  }
}

/** Locks the namespace; waits for concurrent claims. */
export async function lockNamespace(
  tx: Knex.Transaction,
  name: string,
): Promise<void> {
  await tx<NamespaceClaim>(TABLE).where({ name }).forUpdate().first();
}
