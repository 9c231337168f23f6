import {
  DatabaseService,
  isDatabaseConflictError,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import { ConflictError } from '@backstage/errors';
import {
  WorkspaceLogLine,
  WorkspaceStatus,
} from '@slipway/plugin-ide-launcher-common';
import { openDatabase } from '@slipway/portal-kit';
import { Knex } from 'knex';
import {
  claimNamespace,
  lockNamespace,
  namespaceOwner,
  releaseNamespace,
} from './namespaces';
import {
  NewLogLine,
  Workspace,
  WorkspaceChange,
  WorkspaceSummary,
} from '../Workspace';
import { appendLogLines, readLogLines, removeLog } from './workspaceLog';
import {
  SUMMARY_COLUMNS,
  SummaryRow,
  toChangedColumns,
  toRow,
  toSummary,
  toWorkspace,
  WorkspaceRow,
} from './workspaceRows';

const migrationsDirectory = resolvePackagePath(
  '@slipway/plugin-ide-launcher-backend',
  'migrations',
);

/** How many workspaces an owner has. */
interface WorkspaceUsage {
  total: number;
  /** The number of those that are Starting, Running or Stopping. */
  running: number;
}

/** An administrator's yes to workspaces without isolation. */
interface IsolationConsentRecord {
  /** Entity ref of the user. */
  givenBy: string;
  /** ISO 8601, UTC. */
  givenAt: string;
}

/** Keeps workspaces in the plugin's SQL database. Workspaces being deleted are seen by `listDeleting` alone. */
export class WorkspaceStore {
  readonly #db: Knex;

  private constructor(db: Knex) {
    this.#db = db;
  }

  /** Migrates the database, unless configuration says that somebody else does, and opens the store. */
  static async create(options: {
    database: DatabaseService;
  }): Promise<WorkspaceStore> {
    const { database } = options;
    return new WorkspaceStore(
      await openDatabase({ database, migrations: migrationsDirectory }),
    );
  }

  /**
   * The namespace becomes the owner's, until their last workspace in it is removed.
   *
   * @throws NotAllowedError when the namespace is another's; ConflictError when it has a workspace of that name.
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

  /** @returns undefined when the namespace is nobody's. */
  async namespaceOwner(name: string): Promise<string | undefined> {
    return namespaceOwner(this.#db, name);
  }

  /** Newest first. */
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

  /** Every workspace whose status is one of these, whoever owns it. */
  async listByStatus(statuses: WorkspaceStatus[]): Promise<WorkspaceSummary[]> {
    return (await this.#summaries().whereIn('status', statuses)).map(toSummary);
  }

  async listIds(): Promise<string[]> {
    return this.#workspaces().pluck('id');
  }

  /** Ids of workspaces whose deletion was asked for and has not been finished. */
  async listDeleting(): Promise<string[]> {
    return this.#workspaces().where({ deleting: true }).pluck('id');
  }

  async get(id: string): Promise<Workspace | undefined> {
    const row = await this.#workspaces().where({ id, deleting: false }).first();
    return row && toWorkspace(row);
  }

  /** @param owner - Everybody's without one. */
  async usage(owner?: string): Promise<WorkspaceUsage> {
    const rows: { status: string; count: number | string }[] =
      await this.#workspaces()
        .where({ deleting: false, ...(owner !== undefined && { owner }) })
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
   * Changes a workspace only while its status is one of `from`.
   *
   * @returns false when it was not, or when there is no such workspace.
   */
  async transition(
    id: string,
    from: WorkspaceStatus[],
    change: WorkspaceChange,
  ): Promise<boolean> {
    const changed = await this.#workspaces()
      .where({ id, deleting: false })
      .whereIn('status', from)
      .update(toChangedColumns(change));
    return changed > 0;
  }

  /** Hides a workspace until `remove` ends it; survives a crash in between. */
  async markDeleting(id: string): Promise<void> {
    await this.#workspaces().where({ id }).update({ deleting: true });
  }

  /** Removes a workspace with its log and its IDE grants. */
  async remove(id: string): Promise<void> {
    await this.#db.transaction(async tx => {
      const row = await tx<WorkspaceRow>('workspaces').where({ id }).first();
      if (row) {
        await lockNamespace(tx, row.namespace);
      }
      // Explicit, because SQLite enforces foreign keys only when asked to.
      await tx('ide_grants').where({ workspace_id: id }).delete();
      await removeLog(tx, id);
      await tx('workspaces').where({ id }).delete();
      if (row) {
        await releaseNamespace(tx, row.namespace);
      }
    });
  }

  /** @returns undefined when nobody has accepted. */
  async isolationConsent(): Promise<IsolationConsentRecord | undefined> {
    const row = await this.#db('isolation_consent').first();
    return row && { givenBy: row.given_by, givenAt: row.given_at };
  }

  /** Keeps the first one. */
  async recordIsolationConsent(consent: IsolationConsentRecord): Promise<void> {
    await this.#db('isolation_consent')
      .insert({ id: 1, given_by: consent.givenBy, given_at: consent.givenAt })
      .onConflict('id')
      .ignore();
  }

  /** Numbers the lines on; of a long log the oldest are dropped. */
  async appendLog(id: string, lines: NewLogLine[]): Promise<void> {
    await appendLogLines(this.#db, id, lines);
  }

  /** At most `limit` lines with `seq` greater than `after`, oldest first. */
  async readLog(
    id: string,
    options: { after: number; limit: number },
  ): Promise<WorkspaceLogLine[]> {
    return readLogLines(this.#db, id, options);
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
