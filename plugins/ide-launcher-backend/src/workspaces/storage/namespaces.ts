import { NotAllowedError } from '@backstage/errors';
import type { Knex } from 'knex';

/** A namespace and its owner, or the one who wants it. */
interface NamespaceClaim {
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

const TABLE = 'workspace_namespaces';

/** A claim can be released between being found and being locked; not over and over. */
const MAX_ATTEMPTS = 5;

/** @returns undefined when the namespace is nobody's. */
export async function namespaceOwner(
  db: Knex,
  name: string,
): Promise<string | undefined> {
  const row = await db<NamespaceClaim>(TABLE).where({ name }).first();
  return row?.owner;
}

/**
 * Makes a namespace its owner's, within the transaction that puts a workspace
 * into it. The claim stays locked until that ends.
 *
 * @throws NotAllowedError when it is another's.
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

/** Lets go of a namespace whose last workspace leaves with this transaction. */
export async function releaseNamespace(
  tx: Knex.Transaction,
  name: string,
): Promise<void> {
  const left = await tx('workspaces').where({ namespace: name }).first('id');
  if (!left) {
    await tx<NamespaceClaim>(TABLE).where({ name }).delete();
  }
}

/** Waits for whoever claims the namespace at the same time. */
export async function lockNamespace(
  tx: Knex.Transaction,
  name: string,
): Promise<void> {
  await tx<NamespaceClaim>(TABLE).where({ name }).forUpdate().first();
}
