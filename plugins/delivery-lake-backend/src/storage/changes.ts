import { ChangeRecord, keyParts } from '../events/LakeEvent';
import { Folded } from '../events/findNewEvents';
import {
  BatchSql,
  columnList,
  NullableRowOf,
  overwrite,
  sameColumns,
} from './BatchSql';
import { DirtyMarks } from './marks';

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

/**
 * A commit whose position changed; the position is null if the commit did not or does not exist.
 */
interface ChangeShift {
  repositoryId: number;
  sha: string;
  before: number | null;
  after: number | null;
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
 * Updates the table `changes` to the folded records.
 *
 * @param options.repositories - ids of the repositories in the keys.
 * @returns the shifts that affect deployments containing these changes.
 */
export async function writeChanges(options: {
  sql: BatchSql;
  changes: Folded<ChangeRecord>[];
  repositories: ReadonlyMap<string, number>;
}): Promise<ChangeShift[]> {
  const { sql, repositories } = options;
  const changes = options.changes.map(({ key, fresh, record }) => {
    const [repository, sha] = keyParts(key);
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

const SHIFT_COLUMNS = {
  repository_id: 'integer',
  sha: 'text',
  position: 'bigint',
} as const;

const NAMING_COLUMNS = {
  id: 'bigint',
  service_id: 'integer',
  finished_at: 'bigint',
  counted: 'smallint',
  position: 'bigint',
} as const;

const LISTING_COLUMNS = {
  service_id: 'integer',
  finished_at: 'bigint',
} as const;

const HEAD_COLUMNS = { id: 'bigint', position: 'bigint' } as const;

const REPOSITORY = { repository_id: 'integer' } as const;

const SERVICE_OF_REPOSITORY = { ...REPOSITORY, service_id: 'integer' } as const;

/** Sets the position of deployments to that of the change with their commit, and marks them. */
async function moveDeployments(
  sql: BatchSql,
  marks: DirtyMarks,
  rows: object[],
): Promise<void> {
  const naming = await sql.select(
    NAMING_COLUMNS,
    `SELECT d.id, d.service_id, d.finished_at, d.counted, r.position
     FROM ${sql.batch('r', SHIFT_COLUMNS)} CROSS JOIN deployments d
     WHERE d.commit_sha = r.sha AND d.repository_id = r.repository_id`,
    rows,
  );
  if (naming.length === 0) {
    return;
  }
  await sql.execute(
    `UPDATE deployments SET head_position = r.position
     FROM ${sql.batch('r', HEAD_COLUMNS)} WHERE deployments.id = r.id`,
    naming.map(({ id, position }) => ({ id, position })),
  );
  for (const { service_id, finished_at, counted } of naming) {
    if (counted) {
      marks.since(service_id, finished_at);
    }
  }
}

async function markListing(
  sql: BatchSql,
  marks: DirtyMarks,
  rows: object[],
): Promise<void> {
  const listing = await sql.select(
    LISTING_COLUMNS,
    `SELECT d.service_id, d.finished_at
     FROM ${sql.batch('r', SHIFT_COLUMNS)}
     CROSS JOIN deployment_changes l CROSS JOIN deployments d
     WHERE l.repository_id = r.repository_id AND l.sha = r.sha
       AND d.id = l.deployment_id AND d.counted = 1`,
    rows,
  );
  for (const { service_id, finished_at } of listing) {
    marks.since(service_id, finished_at);
  }
}

async function markServices(
  sql: BatchSql,
  marks: DirtyMarks,
  shifts: ChangeShift[],
): Promise<void> {
  const earliest = new Map<number, number>();
  for (const { repositoryId, before, after } of shifts) {
    earliest.set(
      repositoryId,
      Math.min(
        before ?? Infinity,
        after ?? Infinity,
        earliest.get(repositoryId) ?? Infinity,
      ),
    );
  }
  const services = await sql.select(
    SERVICE_OF_REPOSITORY,
    `SELECT s.repository_id, s.service_id
     FROM ${sql.batch('r', REPOSITORY)} CROSS JOIN service_repositories s
     WHERE s.repository_id = r.repository_id`,
    [...earliest.keys()].map(repository_id => ({ repository_id })),
  );
  for (const { repository_id, service_id } of services) {
    marks.from(service_id, repository_id, earliest.get(repository_id)!);
  }
}

/**
 * Updates existing deployments after changes were added, moved or deleted. Must run before
 * deployments write their own rows.
 */
export async function moveHeads(options: {
  sql: BatchSql;
  marks: DirtyMarks;
  shifts: ChangeShift[];
}): Promise<void> {
  const { sql, marks, shifts } = options;
  if (shifts.length === 0) {
    return;
  }
  const rows = shifts.map(({ repositoryId, sha, after }) => ({
    repository_id: repositoryId,
    sha,
    position: after,
  }));
  await moveDeployments(sql, marks, rows);
  await markListing(sql, marks, rows);
  await markServices(sql, marks, shifts);
}
