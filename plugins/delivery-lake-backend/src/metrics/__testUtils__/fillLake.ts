import type { Knex } from 'knex';
import { dayOf } from '../../days/period';
import { DURATION_KIND, durationBucket } from '../../derivation/ServiceHistory';
import { Counts, noCounts } from '../../derivation/Counts';
import { RecordedService } from './records';

interface DurationRow {
  kind: number;
  service_id: number;
  subject_id: number;
  ended_at: number;
  duration: number | null;
  bucket: number | null;
}

const ROWS_PER_INSERT = 50;

/** Converts plain records to rows of the tables that metrics are read from. */
class LakeRows {
  readonly deployments: object[] = [];
  readonly durations: DurationRow[] = [];
  readonly counts = new Map<string, Counts>();
  readonly histograms = new Map<string, number>();

  readonly #timeZone: string;

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  add(id: number, service: RecordedService): void {
    for (const deployment of service.deployments ?? []) {
      const { finishedAt, failure, rework, leadTimes, recovery } = deployment;
      this.#deployment(id, finishedAt, failure, rework);
      this.#count(id, finishedAt, {
        deployments: 1,
        failed: failure ? 1 : 0,
        failedGuessed: failure === 'guess' ? 1 : 0,
        rework: rework ? 1 : 0,
        reworkGuessed: rework === 'guess' ? 1 : 0,
      });
      for (const leadTime of leadTimes ?? []) {
        this.#duration(DURATION_KIND.lead, id, finishedAt, leadTime);
      }
      if (recovery) {
        const { endedAt, duration } = recovery;
        this.#duration(DURATION_KIND.recovery, id, endedAt, duration);
      }
    }
    for (const { endedAt, duration } of service.outages ?? []) {
      this.#duration(DURATION_KIND.restore, id, endedAt, duration);
    }
  }

  #deployment(
    service_id: number,
    finished_at: number,
    failure: string | undefined,
    rework: string | undefined,
  ): void {
    const number = `${service_id}-${this.deployments.length}`;
    this.deployments.push({
      ...{ service_id, finished_at, started_at: finished_at - 60_000 },
      ...{ public_id: `deploy-${number}`, external_id: number, source: 'test' },
      ...{ environment: 'prod', status: 'SUCCESS', counted: 1 },
      ...{ version: number, triggered_by: 'ada', revision: 1 },
      ...{ failed: failure ? 1 : 0, failure_cause: failure ?? null },
      ...{ rework: rework ? 1 : 0, rework_cause: rework ?? null },
    });
  }

  #duration(
    kind: number,
    service_id: number,
    ended_at: number,
    duration: number | null,
  ): void {
    const bucket = duration === null ? null : durationBucket(duration);
    const subject_id = this.durations.length + 1;
    this.durations.push({
      ...{ kind, service_id, subject_id, ended_at, duration, bucket },
    });
    const field = (
      {
        1: duration === null ? 'changesUnknown' : 'changes',
        2: 'restores',
        3: 'recoveries',
      } as const
    )[kind as 1 | 2 | 3];
    this.#count(service_id, ended_at, { [field]: 1 });
    if (bucket !== null) {
      const day = dayOf(ended_at, this.#timeZone);
      for (const period of [day, Math.floor(day / 100)]) {
        const key = `${kind} ${period} ${bucket}`;
        this.histograms.set(key, (this.histograms.get(key) ?? 0) + 1);
      }
    }
  }

  #count(id: number, moment: number, more: Partial<Counts>): void {
    for (const service of [0, id]) {
      const key = `${service} ${dayOf(moment, this.#timeZone)}`;
      const counts = this.counts.get(key) ?? noCounts();
      for (const [field, value] of Object.entries(more)) {
        counts[field as keyof Counts] += value;
      }
      this.counts.set(key, counts);
    }
  }
}

/**
 * Fills the tables that metrics are read from, including rollups.
 *
 * @returns the services' ids by name.
 */
export async function fillLake(
  db: Knex,
  timeZone: string,
  services: RecordedService[],
): Promise<Map<string, number>> {
  const rows = new LakeRows(timeZone);
  const ids = new Map<string, number>();
  for (const service of services) {
    const { name, entityRef, team, project } = service;
    const id = ids.size + 1;
    await db('services').insert({
      ...{ id, name, team, project, entity_ref: entityRef },
    });
    ids.set(name, id);
    rows.add(id, service);
  }
  const counts = [...rows.counts].map(([key, count]) => {
    const [service_id, day] = key.split(' ').map(Number);
    const { deployments, failed, rework, changes, restores, recoveries } =
      count;
    return {
      ...{ service_id, day, revision: 1, deployments, failed, rework },
      ...{ changes, restores, recoveries },
      failed_guessed: count.failedGuessed,
      rework_guessed: count.reworkGuessed,
      changes_unknown: count.changesUnknown,
    };
  });
  const histograms = [...rows.histograms].map(([key, samples]) => {
    const [kind, period, bucket] = key.split(' ').map(Number);
    return { kind, period, bucket, samples };
  });
  for (const [table, content] of [
    ['deployments', rows.deployments],
    ['durations', rows.durations],
    ['rollup_counts', counts],
    ['rollup_durations', histograms],
  ] as const) {
    await db.batchInsert(table, [...content], ROWS_PER_INSERT);
  }
  return ids;
}
