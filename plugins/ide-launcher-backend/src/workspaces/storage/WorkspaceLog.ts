import { WorkspaceLogLine } from '@slipway/plugin-ide-launcher-common';
import type { Knex } from 'knex';
import { NewLogLine } from '../Workspace';

const TABLE = 'workspace_logs';

/** A row of the table `workspace_logs`. */
interface LogRow extends WorkspaceLogLine {
  workspace_id: string;
}

/** SQLite accepts at most 999 bound values per statement. */
const LINES_PER_INSERT = 100;

/** The maximum number of lines kept per workspace; the oldest are dropped. */
const MAX_KEPT_LINES = 10_000;

/** Stores the logs of the starts of workspaces. */
export class WorkspaceLog {
  readonly #db: Knex;

  constructor(db: Knex) {
    this.#db = db;
  }

  /** Returns the number of the last line; 0 if there is none. */
  async last(workspaceId: string): Promise<number> {
    const last = await this.#lines(workspaceId)
      .max<{ seq: number | null }>({ seq: 'seq' })
      .first();
    return last?.seq ?? 0;
  }

  /**
   * Appends lines, numbered consecutively from `last + 1`; drops the oldest lines of a long log. A retry
   * with the same `last`, whose lines begin with the same ones, stores no line twice.
   *
   * @returns the number of the last line.
   */
  async append(
    workspaceId: string,
    lines: NewLogLine[],
    last: number,
  ): Promise<number> {
    const rows = lines.map((line, index) => ({
      workspace_id: workspaceId,
      seq: last + 1 + index,
      ...line,
    }));
    const end = last + lines.length;
    await this.#db.transaction(async tx => {
      for (let from = 0; from < rows.length; from += LINES_PER_INSERT) {
        await tx<LogRow>(TABLE)
          .insert(rows.slice(from, from + LINES_PER_INSERT))
          .onConflict(['workspace_id', 'seq'])
          .ignore();
      }
      if (end > MAX_KEPT_LINES) {
        await tx<LogRow>(TABLE)
          .where({ workspace_id: workspaceId })
          .andWhere('seq', '<=', end - MAX_KEPT_LINES)
          .delete();
      }
    });
    return end;
  }

  /** Reads at most `limit` lines with `seq` greater than `after`, oldest first. */
  async read(
    workspaceId: string,
    { after, limit }: { after: number; limit: number },
  ): Promise<WorkspaceLogLine[]> {
    return this.#lines(workspaceId)
      .andWhere('seq', '>', after)
      .orderBy('seq', 'asc')
      .limit(limit)
      .select('seq', 'at', 'source', 'text');
  }

  /** Removes the whole log of a workspace. */
  async remove(workspaceId: string): Promise<void> {
    await this.#lines(workspaceId).delete();
  }

  #lines(workspaceId: string) {
    return this.#db<LogRow>(TABLE).where({ workspace_id: workspaceId });
  }
}
