import { ChangeRecord } from '../../events/foldChange';
import {
  BatchSql,
  columnList,
  NullableRowOf,
  overwrite,
} from '../sql/BatchSql';
import { Folded } from './Folded';
import { sameColumns } from './sameColumns';

const KEY_COLUMNS = { repository_id: 'integer', sha: 'text' } as const;

const CHANGE_COLUMNS = {
  ...KEY_COLUMNS,
  message: 'text',
  author: 'text',
  committed_at: 'bigint',
  position: 'bigint',
  url: 'text',
  revision: 'bigint',
} as const;

const ID = { id: 'bigint' } as const;

type ChangeRow = NullableRowOf<typeof CHANGE_COLUMNS> & {
  repository_id: number;
  sha: string;
  position: number;
};

/** A change whose place or time is another than it was; null: it is none. */
export interface ChangeShift {
  repositoryId: number;
  sha: string;
  before: number | null;
  after: number | null;
}

/** Repository and SHA of a change's key. */
export function changeKeyParts(key: string): [repository: string, sha: string] {
  return JSON.parse(key);
}

function toRow(record: ChangeRecord, repositoryId: number): ChangeRow {
  return {
    repository_id: repositoryId,
    sha: record.sha,
    message: record.message,
    author: record.author,
    committed_at: record.committedAt,
    position: record.position,
    url: record.url,
    revision: record.revision,
  };
}

/**
 * Brings the table `changes` up to what was folded.
 *
 * @param options.repositories - ids of all repositories of the keys.
 * @returns what a deployment that contains them must hear of.
 */
export async function writeChanges(options: {
  sql: BatchSql;
  changes: Folded<ChangeRecord>[];
  repositories: ReadonlyMap<string, number>;
}): Promise<ChangeShift[]> {
  const { sql, repositories } = options;
  const changes = options.changes.map(({ key, fresh, record }) => {
    const [repository, sha] = changeKeyParts(key);
    return { fresh, record, sha, repositoryId: repositories.get(repository)! };
  });
  const mapKey = (row: { repository_id: number; sha: string }) =>
    `${row.repository_id} ${row.sha}`;

  const known = changes.filter(({ fresh }) => !fresh);
  const rows = known.length
    ? await sql.select(
        { ...ID, ...CHANGE_COLUMNS },
        `SELECT c.id, ${columnList(CHANGE_COLUMNS, 'c')}
         FROM ${sql.batch('r', KEY_COLUMNS)} CROSS JOIN changes c
         WHERE c.repository_id = r.repository_id AND c.sha = r.sha`,
        known.map(({ repositoryId, sha }) => ({
          repository_id: repositoryId,
          sha,
        })),
      )
    : [];
  const existing = new Map(rows.map(row => [mapKey(row), row]));

  const shifts: ChangeShift[] = [];
  const upserts: ChangeRow[] = [];
  const removals: { id: number }[] = [];
  for (const { record, repositoryId, sha } of changes) {
    const before = existing.get(mapKey({ repository_id: repositoryId, sha }));
    const after = record && toRow(record, repositoryId);
    if (after && !(before && sameColumns(CHANGE_COLUMNS, before, after))) {
      upserts.push(after);
    } else if (!after && before) {
      removals.push({ id: before.id });
    }
    if (
      before?.position !== after?.position ||
      before?.committed_at !== after?.committed_at
    ) {
      shifts.push({
        repositoryId,
        sha,
        before: before?.position ?? null,
        after: after?.position ?? null,
      });
    }
  }
  await sql.insert({
    table: 'changes',
    columns: CHANGE_COLUMNS,
    rows: upserts,
    conflict: `(repository_id, sha) ${overwrite(CHANGE_COLUMNS)}`,
  });
  if (removals.length > 0) {
    await sql.execute(
      `DELETE FROM changes WHERE id IN (SELECT id FROM ${sql.batch('r', ID)})`,
      removals,
    );
  }
  return shifts;
}
