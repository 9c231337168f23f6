import type { Measure, Subject, TallyName } from '../ledger/Contribution.ts';
import type { TeamDays } from '../privacy/Releases.ts';

/** Sums by measure; what was never counted is absent. */
export type Totals = Partial<Record<Measure, number>>;

/** Who was present. */
export interface Crowd {
  /** Different people. */
  readonly people: number;
  /** Days on which each of them was present, added up. */
  readonly personDays: number;
}

/** Reads the rollups. Each question is a list of days that are taken together. */
export interface MetricsStore {
  totals(
    measures: readonly Measure[],
    questions: readonly (readonly TeamDays[])[],
  ): Promise<Totals[]>;
  crowds(
    subject: Subject,
    questions: readonly (readonly TeamDays[])[],
  ): Promise<Crowd[]>;
  /** How many different people were present on days of one team, or of all. */
  people(subject: Subject, questions: readonly TeamDays[]): Promise<number[]>;
  /** Every team that ever had data. */
  teams(): Promise<string[]>;
  /** What was ever counted, by team: never goes down. */
  tallies(name: TallyName): Promise<{ team: string; total: number }[]>;
}
