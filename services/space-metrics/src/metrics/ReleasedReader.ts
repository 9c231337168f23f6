import type { Measure, Subject } from '../ledger/Contribution.ts';
import type { Period } from '../periods/Period.ts';
import type { Releases, TeamDays } from '../privacy/Releases.ts';
import type { Crowd, MetricsStore, Totals } from './MetricsStore.ts';

/** What there is in a period, and what of it may be shown. */
export interface Released {
  readonly period: Period;
  /** Everything: of this only counts of answers and people may be shown. */
  readonly all: Totals;
  /** What may be shown; undefined where there is something and none of it may be. */
  readonly shown?: Totals;
  /** Of what days that is. */
  readonly days: readonly TeamDays[];
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
    const whole = wholeDays(team, periods);
    const all = await this.#store.totals(measures, whole);
    if (this.#releases.minimumGroupSize <= 1) {
      return periods.map((period, index) => ({
        period,
        all: all[index],
        shown: all[index],
        days: whole[index],
        suppressed: false,
      }));
    }
    const days = await this.#releases.within(subject, { team, periods });
    const shown = await this.#store.totals(measures, days);
    return periods.map((period, index) => {
      const isEmpty = !measures.some(measure => all[index][measure]);
      return {
        period,
        all: all[index],
        ...((days[index].length > 0 || isEmpty) && { shown: shown[index] }),
        days: days[index],
        suppressed: measures.some(
          measure =>
            (all[index][measure] ?? 0) !== (shown[index][measure] ?? 0),
        ),
      };
    });
  }

  /** Who stands behind what is shown. */
  shownCrowds(
    subject: Subject,
    released: readonly Released[],
  ): Promise<Crowd[]> {
    return this.#store.crowds(
      subject,
      released.map(({ days }) => days),
    );
  }

  /** How many people there are, shown or not: such a count is never hidden. */
  async people(
    subject: Subject,
    options: { team: string; periods: readonly Period[] },
  ): Promise<number[]> {
    const crowds = await this.#store.crowds(
      subject,
      wholeDays(options.team, options.periods),
    );
    return crowds.map(({ people }) => people);
  }
}

function wholeDays(team: string, periods: readonly Period[]): TeamDays[][] {
  return periods.map(({ start, end }) => [{ team, from: start, to: end - 1 }]);
}
