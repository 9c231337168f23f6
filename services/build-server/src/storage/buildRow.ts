import type { Build } from '../builds/Build.ts';

/** A row of `builds`; PostgreSQL answers a bigint as text. */
export interface BuildRow {
  id: number;
  job: string;
  number: number;
  delivery: string | null;
  state: string;
  result: string | null;
  reason: string | null;
  cause: string;
  triggered_by: string | null;
  parameters: string;
  source: string | null;
  steps: string;
  tests: string | null;
  queued_at: number | string;
  due_at: number | string;
  started_at: number | string | null;
  finished_at: number | string | null;
  attempt: number;
  worker: string | null;
  lease_until: number | string | null;
  stop_requested_by: string | null;
}

/**
 * Unpacks the JSON of a row. The delivery and the end of the lease stay behind: they
 * are for the store alone.
 */
export function toBuild(row: BuildRow): Build {
  return {
    id: row.id,
    job: row.job,
    number: row.number,
    state: row.state as Build['state'],
    result: row.result as Build['result'],
    reason: row.reason,
    cause: row.cause,
    triggeredBy: row.triggered_by,
    parameters: JSON.parse(row.parameters),
    source: row.source === null ? null : JSON.parse(row.source),
    steps: JSON.parse(row.steps),
    tests: row.tests === null ? null : JSON.parse(row.tests),
    queuedAt: Number(row.queued_at),
    dueAt: Number(row.due_at),
    startedAt: numberOf(row.started_at),
    finishedAt: numberOf(row.finished_at),
    attempt: row.attempt,
    worker: row.worker,
    stopRequestedBy: row.stop_requested_by,
  };
}

function numberOf(value: number | string | null): number | null {
  return value === null ? null : Number(value);
}
