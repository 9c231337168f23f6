import { judge, Judgement } from './judgements';
import { Delivery, findDeliveries } from './leadTimes';
import { findOutages, Outage } from './outages';
import { Period, periodBefore } from './period';
import { RawEvent } from './RawEvent';
import { toRecords } from './records';

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

interface Value {
  value: number;
  samples: number;
}

type Trend = 'increasing' | 'stable' | 'decreasing';

type Metric =
  | 'deploymentFrequency'
  | 'leadTimeForChanges'
  | 'changeFailureRate'
  | 'timeToRestoreService'
  | 'failedDeploymentRecoveryTime'
  | 'deploymentReworkRate';

/** The expected result of the lake for a scope and a period. */
export interface OracleAnswer {
  metrics: Record<Metric, Value & { previous: Value; trend: Trend }>;
  failures: { linked: number; guessed: number };
  changesWithoutLeadTime: number;
}

function median(durations: number[]): Value {
  const sorted = [...durations].sort((a, b) => a - b);
  const { length } = sorted;
  if (length === 0) {
    return { value: 0, samples: 0 };
  }
  const upper = sorted[Math.floor(length / 2)];
  const lower = sorted[Math.ceil(length / 2) - 1];
  return { value: (lower + upper) / 2 / HOUR_MS, samples: length };
}

function percent(part: number, whole: number): Value {
  return { value: whole === 0 ? 0 : (part / whole) * 100, samples: whole };
}

function trendOf(now: Value, before: Value): Trend {
  if (now.samples === 0 || before.samples === 0) {
    return 'stable';
  }
  // Tolerates the rounding errors of two divisions, for values exactly on the limit.
  const band = before.value * 0.1 + 1e-9;
  if (now.value - before.value > band) {
    return 'increasing';
  }
  return before.value - now.value > band ? 'decreasing' : 'stable';
}

/** Computes the metrics of the README directly from events; slow. */
export class Oracle {
  readonly #judgements: Judgement[];
  readonly #deliveries: Delivery[];
  readonly #outages: Outage[];

  constructor(events: RawEvent[]) {
    const records = toRecords(events);
    this.#judgements = judge(records);
    this.#deliveries = findDeliveries(records);
    this.#outages = findOutages(records);
  }

  /** @param includes - whether a service belongs to the scope. */
  answer(period: Period, includes: (service: string) => boolean): OracleAnswer {
    const now = this.#values(period, includes);
    const before = this.#values(periodBefore(period), includes).metrics;
    const compared = (metric: Metric) => ({
      ...now.metrics[metric],
      previous: before[metric],
      trend: trendOf(now.metrics[metric], before[metric]),
    });
    return {
      ...now,
      metrics: {
        deploymentFrequency: compared('deploymentFrequency'),
        leadTimeForChanges: compared('leadTimeForChanges'),
        changeFailureRate: compared('changeFailureRate'),
        timeToRestoreService: compared('timeToRestoreService'),
        failedDeploymentRecoveryTime: compared('failedDeploymentRecoveryTime'),
        deploymentReworkRate: compared('deploymentReworkRate'),
      },
    };
  }

  #values({ start, end }: Period, includes: (service: string) => boolean) {
    const within = (at: number) => start <= at && at < end;
    const judgements = this.#judgements.filter(each => includes(each.service));
    const deployed = judgements.filter(each => within(each.finishedAt));
    const failed = deployed.filter(each => each.failure);
    const reworked = deployed.filter(each => each.rework);
    const deliveries = this.#deliveries.filter(
      each => includes(each.service) && within(each.at),
    );
    const restored = this.#outages.filter(
      each => includes(each.service) && within(each.endedAt),
    );
    const metrics: Record<Metric, Value> = {
      deploymentFrequency: {
        value: deployed.length / ((end - start) / WEEK_MS),
        samples: deployed.length,
      },
      leadTimeForChanges: median(
        deliveries.flatMap(({ leadTime }) => leadTime ?? []),
      ),
      changeFailureRate: percent(failed.length, deployed.length),
      timeToRestoreService: median(
        restored.map(each => each.endedAt - each.startedAt),
      ),
      failedDeploymentRecoveryTime: median(
        judgements.flatMap(({ recoveredAt, finishedAt }) =>
          recoveredAt !== undefined && within(recoveredAt)
            ? recoveredAt - finishedAt
            : [],
        ),
      ),
      deploymentReworkRate: percent(reworked.length, deployed.length),
    };
    const guessed = failed.filter(each => each.failure === 'guess').length;
    return {
      metrics,
      failures: { linked: failed.length - guessed, guessed },
      changesWithoutLeadTime: deliveries.filter(
        ({ leadTime }) => leadTime === undefined,
      ).length,
    };
  }
}
