import {
  DatabaseService,
  isDatabaseConflictError,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import { ConflictError } from '@backstage/errors';
import { WorkspaceStatus } from '@slipway/plugin-ide-launcher-common';
import { openDatabase } from '@slipway/portal-kit/database';
import { Knex } from 'knex';
import {
  claimNamespace,
  lockNamespace,
  namespaceOwner,
  releaseNamespace,
} from './namespaces';
import {
  Workspace,
  WorkspaceChange,
  WorkspaceSummary,
  WorkspaceUse,
} from '../Workspace';
import { WorkspaceLog } from './WorkspaceLog';
import {
  SUMMARY_COLUMNS,
  SummaryRow,
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

/** The number of an owner's workspaces. */
interface WorkspaceUsage {
  total: number;
  /** The number of workspaces in state Starting, Running or Stopping. */
  running: number;
}

/** Conditions under which a workspace is deleted; without any it always is. */
export interface DeletionConditions {
  /** It belongs to this import and has never run. */
  importedFrom?: string;
  /** It is stopped, and this is still its last use. */
  unusedSince?: string;
}

/** An admin's acceptance of workspaces without isolation. */
interface IsolationConsentRecord {
  /** Entity ref of the user. */
  givenBy: string;
  /** ISO 8601, UTC. */
  givenAt: string;
}

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
    const { database } = options;
    return new WorkspaceStore(
      await openDatabase({ database, migrations: WORKSPACE_MIGRATIONS }),
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
    const { namespace, owner } = workspace;
    try {
      await this.#db.transaction(async tx => {
        await claimNamespace(tx, { name: namespace, owner });
        await tx<WorkspaceRow>('workspaces').insert(toRow(workspace));
      });
    } catch (error) {
      if (isDatabaseConflictError(error)) {
        throw new ConflictError(
          `A workspace named '${workspace.name}' already exists in namespace '${workspace.namespace}'`,
        );
      }
      throw error;
    }
  }

  /**
   * Adds the workspaces of an import, all or none of them. Those whose name is in use in their
   * namespace are left out.
   *
   * @returns the added workspaces.
   * @throws NotAllowedError if a namespace belongs to another owner.
   */
  async insertImported(workspaces: readonly Workspace[]): Promise<Workspace[]> {
    // Always in the same order, so that concurrent imports do not deadlock on namespaces.
    const ordered = [...workspaces].sort((one, other) =>
      one.namespace.localeCompare(other.namespace),
    );
    return this.#db.transaction(async tx => {
      const added: Workspace[] = [];
      for (const workspace of ordered) {
        const { namespace, owner } = workspace;
        await claimNamespace(tx, { name: namespace, owner });
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
    return namespaceOwner(this.#db, name);
  }

  /** Lists an owner's workspaces, newest first. */
  async listByOwner(
    owner: string,
    filter: { status?: WorkspaceStatus } = {},
  ): Promise<WorkspaceSummary[]> {
    const query = this.#summaries()
      .where({ owner })
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc');
    if (filter.status) {
      query.andWhere({ status: filter.status });
    }
    return (await query).map(toSummary);
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
   */
  async usage(owner?: string): Promise<WorkspaceUsage> {
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
      const row = await tx<WorkspaceRow>('workspaces').where({ id }).first();
      if (row) {
        await lockNamespace(tx, row.namespace);
      }
      // Explicit, because SQLite enforces foreign keys only if enabled.
      await tx('ide_grants').where({ workspace_id: id }).delete();
      await new WorkspaceLog(tx).remove(id);
      await tx('workspaces').where({ id }).delete();
      if (row) {
        await releaseNamespace(tx, row.namespace);
      }
    });
  }

  /** Returns the first acceptance of workspaces without isolation; undefined if there is none. */
  async isolationConsent(): Promise<IsolationConsentRecord | undefined> {
    const row = await this.#db('isolation_consent').first();
    return row && { givenBy: row.given_by, givenAt: row.given_at };
  }

  /** Records an acceptance; keeps the first one. */
  async recordIsolationConsent(consent: IsolationConsentRecord): Promise<void> {
    await this.#db('isolation_consent')
      .insert({ id: 1, given_by: consent.givenBy, given_at: consent.givenAt })
      .onConflict('id')
      .ignore();
  }

  #workspaces() {
    return this.#db<WorkspaceRow>('workspaces');
  }

  #summaries() {
    return this.#db<SummaryRow & { deleting: boolean }>('workspaces')
      .where({ deleting: false })
      .select(...SUMMARY_COLUMNS);
  }
}
