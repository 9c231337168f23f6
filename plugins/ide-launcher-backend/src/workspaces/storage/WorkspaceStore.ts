import {
  DatabaseService,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import { ConflictError, NotAllowedError } from '@backstage/errors';
import { WorkspaceStatus } from '@slipway/plugin-ide-launcher-common';
import { openDatabase } from '@slipway/portal-kit/database';
import { Knex } from 'knex';
import {
  Workspace,
  WorkspaceChange,
  WorkspaceSummary,
  WorkspaceUse,
} from '../Workspace';
import { WorkspaceLog } from './WorkspaceLog';
import {
  SUMMARY_COLUMN_NAMES,
  toChangedColumns,
  toRow,
  toSummary,
  toWorkspace,
  WorkspaceRow,
} from './workspaceRows';

/** Absolute path of the plugin's migrations. */
export const WORKSPACE_MIGRATIONS = resolvePackagePath(
  '@slipway/plugin-ide-launcher-backend',
  'migrations',
);

/** Conditions under which a workspace is deleted; without any it always is. */
export interface DeletionConditions {
  /** It belongs to this import and has never run. */
  importedFrom?: string;
  /** It is stopped, and this is still its last use. */
  unusedSince?: string;
}

/** An admin's acceptance: the admin's entity ref, and the time in ISO 8601, UTC. */
type Consent = { givenBy: string; givenAt: string };

/** Stores workspaces in the plugin's SQL database. Only `listDeleting` returns workspaces being deleted. */
export class WorkspaceStore {
  readonly #db: Knex;
  /** The logs of their starts. */
  readonly log: WorkspaceLog;

  private constructor(db: Knex) {
    this.#db = db;
    this.log = new WorkspaceLog(db);
  }

  /** Migrates the database, unless migrations are disabled in the configuration, and opens the store. */
  static async create(options: {
    database: DatabaseService;
  }): Promise<WorkspaceStore> {
    return new WorkspaceStore(
      await openDatabase({ ...options, migrations: WORKSPACE_MIGRATIONS }),
    );
  }

  /**
   * Adds a workspace. Its namespace belongs to the owner until their last workspace in it is
   * removed.
   *
   * @throws NotAllowedError if the namespace belongs to another owner; ConflictError if it
   * already has a workspace with that name.
   */
  async insert(workspace: Workspace): Promise<void> {
    const added = await this.insertFree([workspace]);
    if (added.length === 0) {
      throw new ConflictError(
        `A workspace named '${workspace.name}' already exists in namespace '${workspace.namespace}'`,
      );
    }
  }

  /**
   * Adds workspaces, such as those of an import, in one transaction. Skips those whose name is already
   * used in their namespace.
   *
   * @returns the added workspaces.
   * @throws NotAllowedError if a namespace belongs to another owner.
   */
  async insertFree(workspaces: readonly Workspace[]): Promise<Workspace[]> {
    // Always in the same order, so that concurrent imports do not deadlock on namespaces.
    const ordered = [...workspaces].sort((one, other) =>
      one.namespace.localeCompare(other.namespace),
    );
    return this.#db.transaction(async tx => {
      const added: Workspace[] = [];
      for (const workspace of ordered) {
        const { namespace: name, owner } = workspace;
        // Writes an existing namespace as well, to lock it: another transaction may be releasing it.
        const [claim] = await namespaces(tx)
          .insert({ name, owner })
          .onConflict('name')
          .merge(['name'])
          .returning('owner');
        checkNamespaceOwner({ name, owner }, claim.owner);
        const rows = await tx<WorkspaceRow>('workspaces')
          .insert(toRow(workspace))
          .onConflict(['namespace', 'name'])
          .ignore()
          .returning('id');
        added.push(...(rows.length > 0 ? [workspace] : []));
      }
      return added;
    });
  }

  /** Returns the owner of a namespace; undefined if it has none. */
  async namespaceOwner(name: string): Promise<string | undefined> {
    const row = await namespaces(this.#db).where({ name }).first();
    return row?.owner;
  }

  /** Lists an owner's workspaces, newest first. */
  async listByOwner(
    owner: string,
    filter: { status?: WorkspaceStatus } = {},
  ): Promise<WorkspaceSummary[]> {
    const rows = await this.#summaries()
      .where({ owner, ...(filter.status && { status: filter.status }) })
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc');
    return rows.map(toSummary);
  }

  /** Lists workspaces of all owners with one of these statuses. */
  async listByStatus(statuses: WorkspaceStatus[]): Promise<WorkspaceSummary[]> {
    return (await this.#summaries().whereIn('status', statuses)).map(toSummary);
  }

  /** Lists the workspaces of an import that have never run. */
  async listImported(source: string): Promise<WorkspaceSummary[]> {
    const rows = await this.#summaries().where({ imported_from: source });
    return rows.map(toSummary);
  }

  async listIds(): Promise<string[]> {
    return this.#workspaces().pluck('id');
  }

  /** Lists the ids of workspaces with an incomplete deletion. */
  async listDeleting(): Promise<string[]> {
    return this.#workspaces().where({ deleting: true }).pluck('id');
  }

  async get(id: string): Promise<Workspace | undefined> {
    const row = await this.#workspaces().where({ id, deleting: false }).first();
    return row && toWorkspace(row);
  }

  /**
   * Counts workspaces, except stopped imported ones that have never run, because they use no resources.
   *
   * @param owner - if omitted, counts the workspaces of all owners.
   * @returns the number of all workspaces, and of those in state Starting, Running or Stopping (`running`).
   */
  async usage(owner?: string): Promise<{ total: number; running: number }> {
    const rows: { status: string; count: number | string }[] =
      await this.#workspaces()
        .where({ deleting: false, ...(owner !== undefined && { owner }) })
        .andWhere(counted =>
          counted.whereNull('imported_from').orWhereNot('status', 'Stopped'),
        )
        .groupBy('status')
        .select('status')
        .count({ count: '*' });
    const usage = { total: 0, running: 0 };
    for (const { status, count } of rows) {
      usage.total += Number(count);
      usage.running += status === 'Stopped' ? 0 : Number(count);
    }
    return usage;
  }

  async update(id: string, change: WorkspaceChange): Promise<void> {
    await this.#workspaces().where({ id }).update(toChangedColumns(change));
  }

  /**
   * Changes a workspace only if its status is one of `from`, and these fields are unchanged.
   *
   * @returns false if not, or if the workspace does not exist.
   */
  async transition(
    id: string,
    from: WorkspaceStatus[],
    change: WorkspaceChange,
    unchanged?: WorkspaceUse,
  ): Promise<boolean> {
    const changed = await this.#workspaces()
      .where({
        ...{ id, deleting: false },
        ...(unchanged && {
          last_used_at: unchanged.lastUsedAt,
          extended_until: unchanged.extendedUntil,
        }),
      })
      .whereIn('status', from)
      .update(toChangedColumns(change));
    return changed > 0;
  }

  /**
   * Hides a workspace until `remove` deletes it; survives a crash in between.
   *
   * @returns false if there is no such workspace.
   */
  async markDeleting(
    id: string,
    { importedFrom, unusedSince }: DeletionConditions = {},
  ): Promise<boolean> {
    const marked = await this.#workspaces()
      .where({
        id,
        ...(importedFrom && { imported_from: importedFrom }),
        ...(unusedSince && { status: 'Stopped', last_used_at: unusedSince }),
      })
      .update({ deleting: true });
    return marked > 0;
  }

  /** Removes a workspace with its log and its IDE grants. */
  async remove(id: string): Promise<void> {
    await this.#db.transaction(async tx => {
      const row = await tx('workspaces').where({ id }).first('namespace');
      if (row) {
        // Locks the namespace until the end of the transaction, so that concurrent claims wait.
        await namespaces(tx).where({ name: row.namespace }).forUpdate().first();
      }
      // Explicit, because SQLite enforces foreign keys only if enabled.
      await tx('ide_grants').where({ workspace_id: id }).delete();
      await new WorkspaceLog(tx).remove(id);
      await tx('workspaces').where({ id }).delete();
      if (row && !(await tx('workspaces').where(row).first('id'))) {
        await namespaces(tx).where({ name: row.namespace }).delete();
      }
    });
  }

  /** Returns the first acceptance of workspaces without isolation; undefined if there is none. */
  async isolationConsent(): Promise<Consent | undefined> {
    const row = await this.#db('isolation_consent').first();
    return row && { givenBy: row.given_by, givenAt: row.given_at };
  }

  /** Records an acceptance; keeps the first one. */
  async recordIsolationConsent(consent: Consent): Promise<void> {
    await this.#db('isolation_consent')
      .insert({ id: 1, given_by: consent.givenBy, given_at: consent.givenAt })
      .onConflict('id')
      .ignore();
  }

  #workspaces() {
    return this.#db<WorkspaceRow>('workspaces');
  }

  #summaries() {
    return this.#workspaces()
      .where({ deleting: false })
      .select(...SUMMARY_COLUMN_NAMES);
  }
}

/** A namespace and its current or prospective owner. */
interface NamespaceClaim {
  name: string;
  /** Entity ref of a user, or the subject of a service token. */
  owner: string;
}

function namespaces(db: Knex) {
  return db<NamespaceClaim>('workspace_namespaces');
}

/**
 * Checks a claim against the current owner of the namespace; undefined means that it has none.
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
