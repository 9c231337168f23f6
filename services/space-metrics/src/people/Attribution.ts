import type { Caller } from '@slipway/service-kit';
import { type LocalDay, localDayOf } from '../periods/LocalDay.ts';
import { readTimestamp } from '../periods/readTimestamp.ts';
import type { PersonHasher } from './PersonHasher.ts';
import type { TeamNames } from './TeamNames.ts';
import type { CatalogPeopleDirectory } from './CatalogPeopleDirectory.ts';
import { NO_TEAM, readTeamField } from './team.ts';

/** A record's person, team and time. No name gets past here. */
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
  readonly #options: {
    directory: Pick<CatalogPeopleDirectory, 'find'>;
    hasher: PersonHasher;
    teams: Pick<TeamNames, 'assertKnown'>;
    now: () => Date;
    timeZone: string;
  };

  constructor(options: {
    directory: Pick<CatalogPeopleDirectory, 'find'>;
    hasher: PersonHasher;
    teams: Pick<TeamNames, 'assertKnown'>;
    now: () => Date;
    timeZone: string;
  }) {
    this.#options = options;
  }

  /**
   * A signed-in person submits for herself, now and in the team that the catalog has,
   * whatever the submission says: else she could place her own answer beside that of
   * one other person. Holders of a key submit for others.
   *
   * @throws InvalidRequestError for a time or a team that cannot be.
   */
  of(caller: Caller, origin: Origin): Promise<Attributed> {
    return this.named(caller.kind === 'user' ? { user_id: caller.id } : origin);
  }

  /**
   * Believes what the submission says. Without a team it is the person's own in the
   * catalog.
   *
   * @throws InvalidRequestError for a time or a team that cannot be.
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

  /** @throws InvalidRequestError for a team that cannot be, or is one too many. */
  async team(name: string | undefined): Promise<string | undefined> {
    const team = readTeamField(name);
    if (team !== undefined) {
      await this.#options.teams.assertKnown(team);
    }
    return team;
  }

  /** @throws InvalidRequestError for a time that cannot be. */
  at(timestamp: string | undefined): Pick<Attributed, 'occurredAt' | 'day'> {
    const { now, timeZone } = this.#options;
    const occurredAt = readTimestamp(timestamp, { now: now() });
    return { occurredAt, day: localDayOf(occurredAt, timeZone) };
  }
}
