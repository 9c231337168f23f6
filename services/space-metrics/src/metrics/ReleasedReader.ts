import type { Measure, Subject } from '../ledger/Contribution.ts';
import { ALL_TEAMS } from '../people/team.ts';
import type { Period } from '../periods/Period.ts';
import { hiddenDays } from '../privacy/hiddenDays.ts';
import type { Releases, TeamDays } from '../privacy/Releases.ts';
import type { Crowd, MetricsStore, Totals } from './MetricsStore.ts';

/** What there is in a period, and what of it may be shown. */
export interface Released {
  readonly period: Period;
  /** Everything: of this only counts of answers and people may be shown. */
  readonly all: Totals;
  /** What may be shown; undefined where there is something and none of it may be. */
  readonly shown?: Totals;
  /** Of what days that is, and which of them are left out. */
  readonly days: readonly TeamDays[];
  readonly without: readonly TeamDays[];
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
    const hides = this.#releases.minimumGroupSize > 1;
    // Both before anything is waited for: then the store asks for all of it at once.
    const [all, shownDays] = await Promise.all([
      this.#store.totals(measures, whole),
      hides ? this.#shownDays(subject, { team, periods }) : [],
    ]);
    if (!hides) {
      return periods.map((period, index) => ({
        period,
        all: all[index],
        shown: all[index],
        days: whole[index],
        without: [],
        suppressed: false,
      }));
    }
    const [sums, left] = await Promise.all([
      this.#store.totals(
        measures,
        shownDays.map(({ days }) => days),
      ),
      this.#store.totals(
        measures,
        shownDays.map(({ without }) => without),
      ),
    ]);
    return periods.map((period, index) => {
      const { days, without } = shownDays[index];
      const shown = difference(sums[index], left[index]);
      const isEmpty = !measures.some(measure => all[index][measure]);
      return {
        period,
        all: all[index],
        ...((days.length > 0 || isEmpty) && { shown }),
        days,
        without,
        suppressed: measures.some(
          measure => (all[index][measure] ?? 0) !== (shown[measure] ?? 0),
        ),
      };
    });
  }

  /**
   * Who stands behind what is shown. Where days are left out, people are counted over
   * all of them, and person days over what is shown.
   */
  async shownCrowds(
    subject: Subject,
    released: readonly Released[],
  ): Promise<Crowd[]> {
    const [crowds, left] = await Promise.all([
      this.#store.crowds(
        subject,
        released.map(({ days }) => days),
      ),
      this.#store.crowds(
        subject,
        released.map(({ without }) => without),
      ),
    ]);
    return crowds.map(({ people, personDays }, index) => ({
      people,
      personDays: personDays - left[index].personDays,
    }));
  }

  /** How many people there are, shown or not: such a count is never hidden. */
  people(
    subject: Subject,
    options: { team: string; periods: readonly Period[] },
  ): Promise<number[]> {
    return this.#store.people(
      subject,
      wholeDays(options.team, options.periods).flat(),
    );
  }

  /** A total over all teams is everything without what is hidden. */
  async #shownDays(
    subject: Subject,
    options: { team: string; periods: readonly Period[] },
  ): Promise<{ days: TeamDays[]; without: TeamDays[] }[]> {
    const { team, periods } = options;
    const [shown, teams] = await Promise.all([
      this.#releases.within(subject, options),
      team === ALL_TEAMS ? this.#store.teams() : [],
    ]);
    if (team !== ALL_TEAMS) {
      return shown.map(days => ({ days, without: [] }));
    }
    return periods.map((period, index) =>
      shown[index].length === 0
        ? { days: [], without: [] }
        : {
            days: wholeDays(team, [period])[0],
            without: hiddenDays(shown[index], { teams, period }),
          },
    );
  }
}

function difference(sums: Totals, left: Totals): Totals {
  return Object.fromEntries(
    Object.entries(sums).map(([measure, sum]) => [
      measure,
      sum - (left[measure as Measure] ?? 0),
    ]),
  );
}

function wholeDays(team: string, periods: readonly Period[]): TeamDays[][] {
  return periods.map(({ start, end }) => [{ team, from: start, to: end - 1 }]);
}
