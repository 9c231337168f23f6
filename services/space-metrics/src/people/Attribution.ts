import { localDayOf, type LocalDay } from '../periods/LocalDay.ts';
import { readTimestamp } from '../periods/readTimestamp.ts';
import type { PeopleDirectory } from './PeopleDirectory.ts';
import type { PersonHasher } from './PersonHasher.ts';
import { NO_TEAM, readTeamField } from './team.ts';

/** Of whom, of which team and of when a record is. No name gets past here. */
export interface Attributed {
  readonly personHash: string;
  readonly team: string;
  /** Milliseconds since 1970. */
  readonly occurredAt: number;
  readonly day: LocalDay;
}

/** What submissions say of themselves. */
export interface Origin {
  user_id: string;
  /** Else the team that the catalog has. */
  team?: string;
  /** ISO 8601; now when left out. */
  timestamp?: string;
}

/** Turns what a submission says of itself into what is stored of it. */
export class Attribution {
  readonly #directory: PeopleDirectory;
  readonly #hasher: PersonHasher;
  readonly #now: () => Date;
  readonly #timeZone: string;

  constructor(options: {
    directory: PeopleDirectory;
    hasher: PersonHasher;
    now: () => Date;
    timeZone: string;
  }) {
    this.#directory = options.directory;
    this.#hasher = options.hasher;
    this.#now = options.now;
    this.#timeZone = options.timeZone;
  }

  /**
   * The team is the one that the submission names, else the user's own in the catalog.
   *
   * @throws InvalidRequestError for a time or a team that cannot be.
   */
  async of(origin: Origin): Promise<Attributed> {
    const when = this.at(origin.timestamp);
    const named = readTeamField(origin.team);
    return {
      ...when,
      personHash: this.#hasher.hash(origin.user_id),
      team:
        named ?? (await this.#directory.find(origin.user_id))?.team ?? NO_TEAM,
    };
  }

  /** @throws InvalidRequestError for a time that cannot be. */
  at(
    timestamp: string | undefined,
    field?: string,
  ): Pick<Attributed, 'occurredAt' | 'day'> {
    const occurredAt = readTimestamp(timestamp, { now: this.#now(), field });
    return { occurredAt, day: localDayOf(occurredAt, this.#timeZone) };
  }
}
