import { BatchSql } from '../sql/BatchSql';
import { DeploymentRow } from './deploymentRows';
import { DirtyMarks } from './DirtyMarks';
import { DeploymentShift } from './writeDeployments';

const SENDER_KEY = { source: 'text', external_id: 'text' } as const;
const MOMENT = { service_id: 'integer', finished_at: 'bigint' } as const;

/** Marks what the deployments count for, were counted for, and roll back. */
export async function markDeployments(options: {
  sql: BatchSql;
  marks: DirtyMarks;
  shifts: DeploymentShift[];
}): Promise<void> {
  const { sql, marks, shifts } = options;
  const rolledBack: { source: string; external_id: string }[] = [];
  const note = (row: DeploymentRow | undefined, since: number) => {
    if (row?.counted) {
      marks.since(row.service_id, since);
    }
    if (row?.rollback_of) {
      rolledBack.push({ source: row.source, external_id: row.rollback_of });
    }
  };
  for (const { before, after } of shifts) {
    const since = Math.min(
      (before?.counted && before.finished_at) || Infinity,
      (after?.counted && after.finished_at) || Infinity,
    );
    note(before, since);
    note(after, since);
  }
  if (rolledBack.length > 0) {
    const targets = await sql.select(
      MOMENT,
      `SELECT d.service_id, d.finished_at
       FROM ${sql.batch('r', SENDER_KEY)} CROSS JOIN deployments d
       WHERE d.source = r.source AND d.external_id = r.external_id`,
      rolledBack,
    );
    for (const { service_id, finished_at } of targets) {
      marks.since(service_id, finished_at);
    }
  }
}
