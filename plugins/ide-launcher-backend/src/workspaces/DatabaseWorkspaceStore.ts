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
} from './claimNamespace';
import {
  NewLogLine,
  Workspace,
  WorkspaceChange,
  WorkspaceSummary,
} from './Workspace';
import {
  SUMMARY_COLUMNS,
  SummaryRow,
  toChangedColumns,
  toRow,
  toSummary,
  toWorkspace,
  WorkspaceRow,
} from './workspaceRows';
import { WorkspaceStore, WorkspaceUsage } from './WorkspaceStore';

interface LogRow extends Omit<WorkspaceLogLine, 'source'> {
  workspace_id: string;
  source: string;
}

/** SQLite takes at most 999 bound values in one statement. */
const LOG_LINES_PER_INSERT = 100;

/** What is kept of a workspace's log: the latest starts, whatever they printed. */
const MAX_KEPT_LOG_LINES = 10_000;

const migrationsDirectory = resolvePackagePath(
  '@slipway/plugin-ide-launcher-backend',
  'migrations',
);

/** Keeps workspaces in the plugin's SQL database. */
export class DatabaseWorkspaceStore implements WorkspaceStore {
  readonly #db: Knex;

  private constructor(db: Knex) {
    this.#db = db;
  }

  /** Migrates the database, unless configuration says that somebody else does, and opens the store. */
  static async create(options: {
    database: DatabaseService;
  }): Promise<DatabaseWorkspaceStore> {
    const { database } = options;
    return new DatabaseWorkspaceStore(
      await openDatabase({ database, migrations: migrationsDirectory }),
    );
  }

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

  async namespaceOwner(name: string): Promise<string | undefined> {
    return namespaceOwner(this.#db, name);
  }

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

  async listByStatus(statuses: WorkspaceStatus[]): Promise<WorkspaceSummary[]> {
    return (await this.#summaries().whereIn('status', statuses)).map(toSummary);
  }

  async listIds(): Promise<string[]> {
    return this.#workspaces().pluck('id');
  }

  async listDeleting(): Promise<string[]> {
    return this.#workspaces().where({ deleting: true }).pluck('id');
  }

  async get(id: string): Promise<Workspace | undefined> {
    const row = await this.#workspaces().where({ id, deleting: false }).first();
    return row && toWorkspace(row);
  }

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

  async markDeleting(id: string): Promise<void> {
    await this.#workspaces().where({ id }).update({ deleting: true });
  }

  async remove(id: string): Promise<void> {
    await this.#db.transaction(async tx => {
      const row = await tx<WorkspaceRow>('workspaces').where({ id }).first();
      if (row) {
        await lockNamespace(tx, row.namespace);
      }
      // Explicit, because SQLite enforces foreign keys only when asked to.
      await tx('ide_grants').where({ workspace_id: id }).delete();
      await tx('workspace_logs').where({ workspace_id: id }).delete();
      await tx('workspaces').where({ id }).delete();
      if (row) {
        await releaseNamespace(tx, row.namespace);
      }
    });
  }

  async appendLog(id: string, lines: NewLogLine[]): Promise<void> {
    if (lines.length === 0) {
      return;
    }
    await this.#db.transaction(async tx => {
      const last = await tx<LogRow>('workspace_logs')
        .where({ workspace_id: id })
        .max<{ seq: number | null }>({ seq: 'seq' })
        .first();
      const first = (last?.seq ?? 0) + 1;
      await tx.batchInsert(
        'workspace_logs',
        lines.map((line, index) => ({
          workspace_id: id,
          seq: first + index,
          ...line,
        })),
        LOG_LINES_PER_INSERT,
      );
      const surplus = first + lines.length - 1 - MAX_KEPT_LOG_LINES;
      if (surplus > 0) {
        await tx('workspace_logs')
          .where({ workspace_id: id })
          .andWhere('seq', '<=', surplus)
          .delete();
      }
    });
  }

  async readLog(
    id: string,
    options: { after: number; limit: number },
  ): Promise<WorkspaceLogLine[]> {
    return this.#db<WorkspaceLogLine & { workspace_id: string }>(
      'workspace_logs',
    )
      .where({ workspace_id: id })
      .andWhere('seq', '>', options.after)
      .orderBy('seq', 'asc')
      .limit(options.limit)
      .select('seq', 'at', 'source', 'text');
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
