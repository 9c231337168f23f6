import {
  type Caller,
  InvalidRequestError,
  parseInstant,
} from '@slipway/service-kit';
import { type LocalDay, localDayOf } from '../periods/LocalDay.ts';
import type { CatalogPeopleDirectory } from './CatalogPeopleDirectory.ts';
import type { PersonHasher } from './person.ts';
import { NO_TEAM, readTeamField } from './team.ts';

const EARLIEST = Date.UTC(2000, 0, 1);
/** Maximum time in the future, because clocks differ and there may be a date line in between. */
const SKEW_MS = 24 * 3_600_000;

/**
 * Parses the time of a submission; defaults to now. Without an offset it is UTC.
 *
 * @returns milliseconds since 1970.
 * @throws InvalidRequestError if it is not valid ISO 8601, before 2000 or more than a day in the
 *   future.
 */
function readTimestamp(
  text: string | undefined,
  options: { now: Date; field?: string },
): number {
  const { now, field = 'timestamp' } = options;
  if (text === undefined) {
    return now.getTime();
  }
  const ms = parseInstant(text);
  if (ms === undefined) {
    throw new InvalidRequestError(`${field} must be an ISO 8601 timestamp`, {
      field,
      constraint: 'format',
    });
  }
  if (ms < EARLIEST || ms > now.getTime() + SKEW_MS) {
    throw new InvalidRequestError(
      `${field} must be between the year 2000 and tomorrow`,
      { field, constraint: ms < EARLIEST ? 'minimum' : 'maximum' },
    );
  }
  return ms;
}

/**
 * Maximum number of team names that are accepted before new ones must be in the
 * catalog.
 */
const MAX_UNKNOWN = 1_000;

/** Limits the team names that submissions may use. */
export class TeamNames {
  readonly #directory: Pick<CatalogPeopleDirectory, 'everyone'>;
  readonly #recorded: () => Promise<readonly string[]>;
  #known?: Promise<ReadonlySet<string>>;
  readonly #admitted = new Set<string>();

  /** @param options.recorded - reads the teams with recorded data. */
  constructor(options: {
    directory: Pick<CatalogPeopleDirectory, 'everyone'>;
    recorded: () => Promise<readonly string[]>;
  }) {
    this.#directory = options.directory;
    this.#recorded = options.recorded;
  }

  /**
   * Accepts any name while there are few; after that, only those with recorded data or in the
   * catalog. Names are counted per process.
   *
   * @throws InvalidRequestError for a name beyond the limit.
   */
  async assertKnown(team: string): Promise<void> {
    if (this.#admitted.has(team)) {
      return;
    }
    const known = await this.#read();
    if (known.has(team) || this.#admitted.has(team)) {
      return;
    }
    if (
      known.size + this.#admitted.size >= MAX_UNKNOWN &&
      !(await this.#isInCatalog(team))
    ) {
      throw new InvalidRequestError(
        `team '${team}' is not in the catalog, and no more teams from outside the catalog are accepted`,
        { field: 'team', constraint: 'enum' },
      );
    }
    this.#admitted.add(team);
  }

  #read(): Promise<ReadonlySet<string>> {
    this.#known ??= this.#recorded().then(teams => new Set(teams));
    this.#known.catch(() => {
      this.#known = undefined;
    });
    return this.#known;
  }

  async #isInCatalog(team: string): Promise<boolean> {
    const everyone = (await this.#directory.everyone()) ?? [];
    return everyone.some(entry => entry.team === team);
  }
}

/** A record's person, team and time. Contains no names. */
export interface Attributed {
  readonly personHash: string;
  readonly team: string;
  /** Milliseconds since 1970. */
  readonly occurredAt: number;
  readonly day: LocalDay;
}

/** The claims of a submission about its person, team and time. */
export interface Origin {
  user_id: string;
  /** Defaults to the team in the catalog. */
  team?: string;
  /** ISO 8601; defaults to now. */
  timestamp?: string;
}

/** Dependencies of {@link Attribution}. */
interface AttributionOptions {
  directory: Pick<CatalogPeopleDirectory, 'find'>;
  hasher: PersonHasher;
  teams: Pick<TeamNames, 'assertKnown'>;
  now: () => Date;
  timeZone: string;
}

/** Converts the claims of a submission to the attribution that is stored. */
export class Attribution {
  readonly #options: AttributionOptions;

  constructor(options: AttributionOptions) {
    this.#options = options;
  }

  /**
   * Attributes a submission. A signed-in person always submits for themselves, now and in the team
   * from the catalog, whatever the submission claims: otherwise they could combine their own answer
   * with that of a single other person, and so reveal it. Holders of a key submit for others.
   *
   * @throws InvalidRequestError for an invalid time or team.
   */
  of(caller: Caller, origin: Origin): Promise<Attributed> {
    return this.named(caller.kind === 'user' ? { user_id: caller.id } : origin);
  }

  /**
   * Attributes a submission by its claims. The team defaults to the person's team in the catalog.
   *
   * @throws InvalidRequestError for an invalid time or team.
   */
  async named(origin: Origin): Promise<Attributed> {
    const { directory, hasher } = this.#options;
    const when = this.at(origin.timestamp);
    const named = await this.team(origin.team);
    return {
      ...when,
      personHash: hasher.hash(origin.user_id),
      team: named ?? (await directory.find(origin.user_id))?.team ?? NO_TEAM,
    };
  }

  /** Normalizes a team. @throws InvalidRequestError if it is invalid or beyond the limit. */
  async team(name: string | undefined): Promise<string | undefined> {
    const team = readTeamField(name);
    if (team !== undefined) {
      await this.#options.teams.assertKnown(team);
    }
    return team;
  }

  /**
   * Parses the time of a submission; defaults to now.
   *
   * @throws InvalidRequestError for an invalid time.
   */
  at(timestamp: string | undefined): Pick<Attributed, 'occurredAt' | 'day'> {
    const { now, timeZone } = this.#options;
    const occurredAt = readTimestamp(timestamp, { now: now() });
    return { occurredAt, day: localDayOf(occurredAt, timeZone) };
  }
}
