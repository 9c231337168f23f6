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

/** The maximum length of a workspace's log; keeps the latest starts. */
const MAX_KEPT_LINES = 10_000;

/** Stores the logs of the starts of workspaces. */
export class WorkspaceLog {
  readonly #db: Knex;

  constructor(db: Knex) {
    this.#db = db;
  }

  /** Appends lines with consecutive numbers; drops the oldest lines of a long log. */
  async append(workspaceId: string, lines: NewLogLine[]): Promise<void> {
    if (lines.length === 0) {
      return;
    }
    await this.#db.transaction(async tx => {
      const last = await tx<LogRow>(TABLE)
        .where({ workspace_id: workspaceId })
        .max<{ seq: number | null }>({ seq: 'seq' })
        .first();
      const first = (last?.seq ?? 0) + 1;
      await tx.batchInsert(
        TABLE,
        lines.map((line, index) => ({
          workspace_id: workspaceId,
          seq: first + index,
          ...line,
        })),
        LINES_PER_INSERT,
      );
      const surplus = first + lines.length - 1 - MAX_KEPT_LINES;
      if (surplus > 0) {
        await tx<LogRow>(TABLE)
          .where({ workspace_id: workspaceId })
          .andWhere('seq', '<=', surplus)
          .delete();
      }
    });
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
