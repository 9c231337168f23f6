import type { Database, Transaction } from '@slipway/service-kit';
import {
  type Credential,
  type CredentialKind,
  digestOf,
  type KeyOwner,
  type NewCredential,
  type TokenScope,
} from '../Credential.ts';
import { BY_CONFIGURATION, readList } from './ProjectStore.ts';

/** Milliseconds for which an owner is cached; a revocation on another replica applies by then. */
const KEPT_MS = 10_000;
const KEPT_AT_MOST = 10_000;

/** A row of the table of credentials. */
interface CredentialRow {
  id: string;
  project_id: string;
  kind: Credential['kind'];
  name: string;
  scopes: string | null;
  hint: string;
  shown_key: string | null;
  expires_at: number | string | null;
  origin: Credential['origin'];
  created_at: number | string;
  created_by: string;
}

interface CredentialStoreOptions {
  database: Database;
  /** Called with a credential's id whenever it is looked up. */
  onUse: (id: string) => void;
  now: () => number;
}

/**
 * Stores the keys and tokens of projects in the service's database; of tokens, only the
 * digest. Caches the project of each credential for ten seconds, so that receiving an event
 * needs no database query.
 */
export class CredentialStore {
  readonly #options: CredentialStoreOptions;
  readonly #database: Database;
  #forgotten = 0;
  readonly #kept = new Map<string, { owner: KeyOwner; until: number }>();

  constructor(options: CredentialStoreOptions) {
    this.#options = options;
    this.#database = options.database;
  }

  /** Returns the cached owner of a secret; undefined unless it was found in the last ten seconds. */
  kept(secret: string, kind: CredentialKind): KeyOwner | undefined {
    return this.#keptAs(`${kind}:${digestOf(secret)}`);
  }

  #keptAs(key: string): KeyOwner | undefined {
    const kept = this.#kept.get(key);
    return kept && kept.until > this.#options.now() ? kept.owner : undefined;
  }

  /**
   * Returns the owner of a secret; undefined if the secret is unknown, revoked or expired.
   * @param options.beforeGuess - awaited before an unknown secret is looked up; throws to keep
   *   guesses from reaching the database.
   */
  async find(
    secret: string,
    {
      kind,
      beforeGuess,
    }: { kind: CredentialKind; beforeGuess: () => Promise<void> },
  ): Promise<KeyOwner | undefined> {
    const forgotten = this.#forgotten;
    const sha256 = digestOf(secret);
    const key = `${kind}:${sha256}`;
    const kept = this.#keptAs(key);
    if (kept) {
      return kept;
    }
    if (!this.#kept.has(key)) {
      await beforeGuess();
    }
    const found = await this.#ownerOf(sha256, kind);
    const now = this.#options.now();
    const { expiresAt = Infinity } = found ?? {};
    const owner = expiresAt > now ? found : undefined;
    if (owner) {
      this.#options.onUse(owner.credentialId);
    }
    this.#kept.delete(key);
    if (owner) {
      if (this.#kept.size >= KEPT_AT_MOST) {
        this.#kept.clear();
      }
      // If credentials were revoked during the lookup, this one is looked up again next time.
      const isCurrent = forgotten === this.#forgotten;
      const until = isCurrent ? Math.min(now + KEPT_MS, expiresAt) : -Infinity;
      this.#kept.set(key, { owner, until });
    }
    return owner;
  }

  /** Looks up the owner of an unrevoked credential by the SHA-256 of its secret. */
  async #ownerOf(
    sha256: string,
    kind: CredentialKind,
  ): Promise<KeyOwner | undefined> {
    const row: (CredentialRow & { origins: string | null }) | undefined =
      await this.#database
        .knex('credentials')
        .join('projects', 'projects.id', 'credentials.project_id')
        .where({ sha256, kind, revoked_at: null })
        .first('credentials.*', 'projects.origins');
    if (!row) {
      return undefined;
    }
    const {
      id: credentialId,
      projectId,
      scopes,
      expiresAt,
    } = toCredential(row);
    const origins = readList(row.origins);
    return { projectId, credentialId, origins, scopes, expiresAt };
  }

  /** Invalidates all cached owners, after credentials were revoked or deleted. */
  forget(): void {
    this.#forgotten += 1;
    // Keep the secrets, so that looking them up again does not count as guessing.
    this.#kept.forEach(each => {
      each.until = -Infinity;
    });
  }

  /** Runs a transaction that revokes credentials; invalidates the cache even if it seems to fail. */
  async #revoking<T>(work: (trx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await this.#database.transaction(work);
    } finally {
      this.forget();
    }
  }

  /** Returns the unrevoked credentials of a project, or of all projects, newest first. */
  async list(projectId?: string): Promise<Credential[]> {
    const rows: CredentialRow[] = await this.#database
      .knex('credentials')
      .where({
        revoked_at: null,
        ...(projectId !== undefined && { project_id: projectId }),
      })
      .orderBy([{ column: 'created_at', order: 'desc' }, 'id']);
    return rows.map(toCredential);
  }

  async add(credential: NewCredential): Promise<void> {
    await this.#database.transaction(trx =>
      trx('credentials').insert(toRow(credential)),
    );
  }

  /** Revokes a credential. @returns false unless it exists and was created in the portal. */
  async revoke(options: {
    projectId: string;
    id: string;
    now: number;
  }): Promise<boolean> {
    return this.#revoking(trx => revoke(trx, options));
  }

  /**
   * Revokes a credential and adds the one that replaces it, or does neither.
   * @returns false unless the credential exists and was created in the portal.
   */
  async replace(id: string, by: NewCredential): Promise<boolean> {
    const { projectId, createdAt: now } = by;
    return this.#revoking(async trx => {
      const isRevoked = await revoke(trx, { projectId, id, now });
      if (isRevoked) {
        await trx('credentials').insert(toRow(by));
      }
      return isRevoked;
    });
  }

  /** Creates the configured credentials, and revokes those that are no longer configured. */
  async adopt(
    credentials: readonly NewCredential[],
    now: number,
  ): Promise<void> {
    await this.#revoking(async trx => {
      for (const credential of credentials) {
        await trx('credentials')
          .insert({ ...toRow(credential), revoked_at: null })
          .onConflict('sha256')
          .merge([
            'project_id',
            'kind',
            'name',
            'scopes',
            'hint',
            'shown_key',
            'origin',
            'revoked_at',
          ]);
      }
      await trx('credentials')
        .where({ origin: BY_CONFIGURATION, revoked_at: null })
        .whereNotIn(
          'sha256',
          credentials.map(({ sha256 }) => sha256),
        )
        .update({ revoked_at: now });
    });
  }
}

async function revoke(
  trx: Transaction,
  options: { projectId: string; id: string; now: number },
): Promise<boolean> {
  const { projectId, id, now } = options;
  const changed = await trx('credentials')
    .where({ id, project_id: projectId, origin: 'portal', revoked_at: null })
    .update({ revoked_at: now });
  return changed > 0;
}

/** Reads a credential from a row. */
function toCredential(row: CredentialRow): Credential {
  return {
    id: row.id,
    projectId: row.project_id,
    kind: row.kind,
    name: row.name,
    scopes: readList(row.scopes) as TokenScope[] | undefined,
    hint: row.hint,
    key: row.shown_key ?? undefined,
    expiresAt: row.expires_at === null ? undefined : Number(row.expires_at),
    origin: row.origin,
    createdAt: Number(row.created_at),
    createdBy: row.created_by,
  };
}

/** Converts a credential to a row. */
function toRow(credential: NewCredential): object {
  return {
    id: credential.id,
    project_id: credential.projectId,
    kind: credential.kind,
    name: credential.name,
    scopes: credential.scopes ? JSON.stringify(credential.scopes) : null,
    sha256: credential.sha256,
    hint: credential.hint,
    shown_key: credential.key ?? null,
    expires_at: credential.expiresAt ?? null,
    origin: credential.origin,
    created_at: credential.createdAt,
    created_by: credential.createdBy,
  };
}
