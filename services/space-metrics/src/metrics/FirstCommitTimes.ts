import type { FirstCommit } from '../activity/ActivityStore.ts';
import type {
  DirectoryEntry,
  PeopleDirectory,
} from '../people/PeopleDirectory.ts';
import type { PersonHasher } from '../people/PersonHasher.ts';
import { ALL_TEAMS } from '../people/team.ts';
import type { Period } from '../periods/Period.ts';
import { cutReleases, type CutReleases } from '../privacy/cutReleases.ts';

const HOUR_MS = 3_600_000;
/**
 * Whoever seems to have taken longer most likely joined before commits were recorded.
 */
const LONGEST_HOURS = 180 * 24;

/** From joining to the first commit, over the people whose first commit is in a period. */
export interface FirstCommitTime {
  /** Mean; null where a group is too small to be shown. */
  readonly hours: number | null;
  readonly joiners: number;
  readonly suppressed: boolean;
}

interface Joiner extends FirstCommit {
  readonly hours: number;
}

/** Everybody who joined, and what of it may be shown: as long as both lists are the same. */
interface Joining {
  readonly entries: readonly DirectoryEntry[];
  readonly firsts: readonly FirstCommit[];
  readonly joiners: readonly Joiner[];
  readonly releases: CutReleases;
}

/** How long it takes those who join to get going. */
export class FirstCommitTimes {
  readonly #store: { firstCommits(): Promise<readonly FirstCommit[]> };
  readonly #directory: Pick<PeopleDirectory, 'joiners'>;
  readonly #hasher: PersonHasher;
  readonly #minimum: number;
  #joining?: Joining;

  constructor(options: {
    store: { firstCommits(): Promise<readonly FirstCommit[]> };
    directory: Pick<PeopleDirectory, 'joiners'>;
    hasher: PersonHasher;
    minimumGroupSize: number;
  }) {
    this.#store = options.store;
    this.#directory = options.directory;
    this.#hasher = options.hasher;
    this.#minimum = options.minimumGroupSize;
  }

  async read(
    team: string,
    periods: readonly Period[],
  ): Promise<FirstCommitTime[]> {
    const { joiners, releases } = await this.#join();
    const shownDays = releases.within({ team, periods });
    const ofTeam =
      team === ALL_TEAMS
        ? joiners
        : joiners.filter(joiner => joiner.team === team);
    return periods.map(({ start, end }, index) => {
      const own = ofTeam.filter(({ day }) => day >= start && day < end);
      const shown = own.filter(joiner =>
        shownDays[index].some(
          days =>
            days.team === joiner.team &&
            joiner.day >= days.from &&
            joiner.day <= days.to,
        ),
      );
      const sum = shown.reduce((total, { hours }) => total + hours, 0);
      const isHidden = own.length > 0 && shown.length === 0;
      return {
        hours: isHidden ? null : sum / Math.max(1, shown.length),
        joiners: own.length,
        suppressed: shown.length < own.length,
      };
    });
  }

  async #join(): Promise<Joining> {
    const [entries, firsts] = await Promise.all([
      this.#directory.joiners(),
      this.#store.firstCommits(),
    ]);
    const known = this.#joining;
    if (known?.entries === entries && known.firsts === firsts) {
      return known;
    }
    const joiners = this.#findJoiners(entries, firsts);
    this.#joining = {
      entries,
      firsts,
      joiners,
      releases: cutReleases(
        joiners.map(joiner => ({ ...joiner, people: 1 })),
        { minimum: this.#minimum },
      ),
    };
    return this.#joining;
  }

  #findJoiners(
    entries: readonly DirectoryEntry[],
    firsts: readonly FirstCommit[],
  ): Joiner[] {
    const startedAt = new Map(
      entries.map(entry => [
        this.#hasher.hash(entry.userRef),
        entry.startedAt!,
      ]),
    );
    return firsts.flatMap(first => {
      const start = startedAt.get(first.personHash);
      const hours = start === undefined ? -1 : (first.at - start) / HOUR_MS;
      return hours >= 0 && hours <= LONGEST_HOURS ? [{ ...first, hours }] : [];
    });
  }
}
