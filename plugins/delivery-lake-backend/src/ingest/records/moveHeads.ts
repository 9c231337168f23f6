import { BatchSql } from '../sql/BatchSql';
import { DirtyMarks } from './DirtyMarks';
import { ChangeShift } from './writeChanges';

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

/** Gives the deployments whose commit a change is its place, and marks them. */
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
 * Lets the deployments that are there hear of changes that came, moved or went.
 * What deployments write of themselves comes after it.
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
