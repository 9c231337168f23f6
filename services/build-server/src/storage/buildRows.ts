import type { Build, BuildStep } from '../builds/Build.ts';

/** A row of `builds`; PostgreSQL returns a bigint as text. */
export interface BuildRow {
  id: number;
  job: string;
  number: number;
  delivery: string | null;
  state: string;
  result: string | null;
  reason: string | null;
  cause: string;
  trigger_kind: string | null;
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
  concurrency_group: string | null;
  artifacts: string | null;
  accepted_at: number | string | null;
  lost_attempts: number;
  built_on: string | null;
  rerun: string | null;
  upstream: string | null;
  kept_at: number | string | null;
  kept_by: string | null;
  kept_reason: string | null;
  discarding_at: number | string | null;
  about: string | null;
}

/**
 * Converts a row to a build, parsing its JSON columns. The delivery and the end of the
 * lease are omitted: they are internal to the store.
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
    kind: (row.trigger_kind ?? 'user') as Build['kind'],
    triggeredBy: row.triggered_by,
    parameters: JSON.parse(row.parameters),
    source: row.source === null ? null : JSON.parse(row.source),
    rerun: row.rerun === null ? null : JSON.parse(row.rerun),
    upstream: row.upstream === null ? null : JSON.parse(row.upstream),
    steps: stepsOf(row),
    tests: row.tests === null ? null : JSON.parse(row.tests),
    artifacts: row.artifacts === null ? [] : JSON.parse(row.artifacts),
    queuedAt: Number(row.queued_at),
    dueAt: Number(row.due_at),
    startedAt: numberOf(row.started_at),
    finishedAt: numberOf(row.finished_at),
    attempt: row.attempt,
    worker: row.worker,
    builtOn: row.built_on,
    stopRequestedBy: row.stop_requested_by,
    kept: keptOf(row),
    about: row.about === null ? null : JSON.parse(row.about),
  };
}

/**
 * Returns the steps of a build. A process that is gone leaves steps unfinished: if the build has
 * ended, they failed when it did.
 */
function stepsOf({ state, steps, finished_at: at }: BuildRow): BuildStep[] {
  const stored: BuildStep[] = JSON.parse(steps);
  const isOpen = (step: BuildStep) =>
    step.state === 'running' || step.state === 'waiting';
  return state === 'finished'
    ? stored.map(step =>
        isOpen(step)
          ? { ...step, state: 'failed', finishedAt: numberOf(at) }
          : step,
      )
    : stored;
}

function keptOf({ kept_at: at, kept_by: by, kept_reason: reason }: BuildRow) {
  return at === null ? null : { by: by ?? '', at: Number(at), reason };
}

function numberOf(value: number | string | null): number | null {
  return value === null ? null : Number(value);
}

/**
 * Returns a name, shortened to the size of its column: PostgreSQL rejects longer values, and
 * payloads contain names of any length.
 */
export function storableName(name: string): string {
  return Array.from(name.slice(0, 512)).slice(0, 256).join('');
}
