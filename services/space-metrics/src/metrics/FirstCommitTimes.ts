import type { FirstCommit } from '../activity/ActivityEvent.ts';
import type { PersonHasher } from '../people/person.ts';
import type { CatalogPeopleDirectory } from '../people/CatalogPeopleDirectory.ts';
import { ALL_TEAMS } from '../people/team.ts';
import type { Period } from '../periods/Period.ts';
import type { Joining } from './Numbers.ts';

const HOUR_MS = 3_600_000;
/** Maximum time. People with a longer one most likely joined before commits were recorded. */
const LONGEST_HOURS = 180 * 24;

/** A person who joined, with the hours until the first commit. */
export interface TimedJoiner extends FirstCommit {
  readonly hours: number;
}

interface Sources {
  store: { firstCommits(): Promise<readonly FirstCommit[]> };
  directory: Pick<CatalogPeopleDirectory, 'joiners'>;
  hasher: PersonHasher;
}

/** Measures how long new people take until their first commit. */
export class FirstCommitTimes {
  readonly #sources: Sources;
  /** The inputs of the last result, which is reused while they are unchanged. */
  #known?: { from: readonly [unknown, unknown]; joiners: TimedJoiner[] };

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** Returns the people whose first commit is in each period, for a team or `ALL_TEAMS`. */
  async read(team: string, periods: readonly Period[]): Promise<Joining[]> {
    const joiners = await this.joiners();
    const ofTeam =
      team === ALL_TEAMS
        ? joiners
        : joiners.filter(joiner => joiner.team === team);
    return periods.map(({ start, end }) => {
      const own = ofTeam.filter(({ day }) => day >= start && day < end);
      const sum = own.reduce((total, { hours }) => total + hours, 0);
      return { hours: sum / Math.max(1, own.length), joiners: own.length };
    });
  }

  /** Returns all people with a known start date in the catalog and a later commit. */
  async joiners(): Promise<readonly TimedJoiner[]> {
    const { directory, store, hasher } = this.#sources;
    const [entries, firsts] = await Promise.all([
      directory.joiners(),
      store.firstCommits(),
    ]);
    const known = this.#known;
    if (known?.from[0] === entries && known.from[1] === firsts) {
      return known.joiners;
    }
    const startedAt = new Map(
      entries.map(entry => [hasher.hash(entry.userRef), entry.startedAt!]),
    );
    const joiners = firsts.flatMap(first => {
      const start = startedAt.get(first.personHash);
      const hours = start === undefined ? -1 : (first.at - start) / HOUR_MS;
      return hours >= 0 && hours <= LONGEST_HOURS ? [{ ...first, hours }] : [];
    });
    this.#known = { from: [entries, firsts], joiners };
    return joiners;
  }
}
