import type { Measure, Subject } from '../ledger/Contribution.ts';
import type { Period } from '../periods/Period.ts';
import type { Releases, TeamDays } from '../privacy/Releases.ts';
import type { Crowd, MetricsStore, Totals } from './MetricsStore.ts';

/** What there is in a period, and what of it may be shown. */
export interface Released {
  readonly period: Period;
  /** Everything: of this only counts of answers and people may be shown. */
  readonly all: Totals;
  /** Everybody. */
  readonly everybody: Crowd;
  /** What may be shown; undefined where there is something and none of it may be. */
  readonly shown?: { readonly totals: Totals; readonly crowd: Crowd };
  /** Whether there is more than is shown. */
  readonly suppressed: boolean;
}

/** Reads numbers about people: never a sum over fewer than the minimum group. */
export class ReleasedReader {
  readonly #store: MetricsStore;
  readonly #releases: Releases;

  constructor(options: { store: MetricsStore; releases: Releases }) {
    this.#store = options.store;
    this.#releases = options.releases;
  }

  async read(
    subject: Subject,
    options: {
      team: string;
      periods: readonly Period[];
      measures: readonly Measure[];
    },
  ): Promise<Released[]> {
    const { team, periods, measures } = options;
    const whole = periods.map(({ start, end }): TeamDays[] => [
      { team, from: start, to: end - 1 },
    ]);
    const [all, everybody] = await this.#query(subject, measures, whole);
    if (this.#releases.minimumGroupSize <= 1) {
      return periods.map((period, index) => ({
        period,
        all: all[index],
        everybody: everybody[index],
        shown: { totals: all[index], crowd: everybody[index] },
        suppressed: false,
      }));
    }
    const days = await this.#releases.within(subject, { team, periods });
    const [shown, crowds] = await this.#query(subject, measures, days);
    return periods.map((period, index) => {
      const isEmpty =
        everybody[index].people === 0 && !hasAny(all[index], measures);
      return {
        period,
        all: all[index],
        everybody: everybody[index],
        ...((days[index].length > 0 || isEmpty) && {
          shown: { totals: shown[index], crowd: crowds[index] },
        }),
        suppressed: measures.some(
          measure =>
            (all[index][measure] ?? 0) !== (shown[index][measure] ?? 0),
        ),
      };
    });
  }

  #query(
    subject: Subject,
    measures: readonly Measure[],
    questions: readonly (readonly TeamDays[])[],
  ): Promise<[Totals[], Crowd[]]> {
    return Promise.all([
      this.#store.totals(measures, questions),
      this.#store.crowds(subject, questions),
    ]);
  }
}

function hasAny(totals: Totals, measures: readonly Measure[]): boolean {
  return measures.some(measure => (totals[measure] ?? 0) !== 0);
}
