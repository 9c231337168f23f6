import type { Subject } from '../ledger/Contribution.ts';
import type { LocalDay } from '../periods/LocalDay.ts';
import type { Period } from '../periods/Period.ts';

/** Days of one team (or of all teams), both inclusive. */
export interface TeamDays {
  readonly team: string;
  readonly from: LocalDay;
  readonly to: LocalDay;
}

/** Decides which days may be shown. */
export interface Releases {
  /** Groups of fewer people are hidden; 1 hides nobody. */
  readonly minimumGroupSize: number;
  /**
   * What of each period may be shown: the sum over these days, and no part of it. An
   * empty list where nothing may be.
   *
   * @param team - a team, or `ALL_TEAMS`.
   */
  within(
    subject: Subject,
    options: { team: string; periods: readonly Period[] },
  ): Promise<TeamDays[][]>;
}

/** Shows everything: for a minimum group size of 1. */
export const openReleases: Releases = {
  minimumGroupSize: 1,
  async within(_subject, { team, periods }) {
    return periods.map(({ start, end }) => [
      { team, from: start, to: end - 1 },
    ]);
  },
};
