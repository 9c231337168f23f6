import { type Caller, type Database } from '@slipway/service-kit';
import { openTestDatabase } from '@slipway/service-kit/testing';
import { DatabaseActivityStore } from '../activity/storage/DatabaseActivityStore.ts';
import { DatabaseFrictionStore } from '../friction/storage/DatabaseFrictionStore.ts';
import { Attribution, type Origin } from '../people/Attribution.ts';
import { PersonHasher } from '../people/person.ts';
import { ALL_TEAMS } from '../people/team.ts';
import { DatabasePersonStore } from '../personal-data/storage/DatabasePersonStore.ts';
import { DatabaseReleases } from '../releases/storage/DatabaseReleases.ts';
import { ReleasedFriction } from '../releases/storage/ReleasedFriction.ts';
import { ReleasedNumbers } from '../releases/storage/ReleasedNumbers.ts';
import { DatabaseSurveyStore } from '../surveys/storage/DatabaseSurveyStore.ts';

const DAY_MS = 86_400_000;
/** The length of a cycle of pulse surveys, in days. */
export const CYCLE_DAYS = 14;
export const TEAMS = ['red', 'green', 'blue'];
/** 2026-11-16, a Monday on which a cycle begins. */
const FIRST_DAY = 20_773;
const CYCLES = 5;

/** Tables that contain data after a history, in an order in which they can be cleared. */
const TABLES = [
  'released_texts',
  'released',
  'withdrawn_batches',
  'pulse_surveys',
  'friction_logs',
  'activity_events',
  'joiners',
  'presence_spans',
  'daily_totals',
  'tallies',
  'people',
  'settings',
];

/** The responses to all possible queries, as text. */
export interface Snapshot {
  readonly text: string;
  /** The set of answers included in each visible sum of surveys. */
  readonly sums: ReadonlySet<number>[];
}

/**
 * Submits surveys whose ratings are powers of two, so that a visible sum reveals which answers it
 * includes. Submissions are attributed like those of sessions; time is a number.
 */
export class AttackLab {
  readonly #database: Database;
  readonly #surveys: DatabaseSurveyStore;
  readonly #friction: DatabaseFrictionStore;
  readonly #activity: DatabaseActivityStore;
  readonly #people: DatabasePersonStore;
  readonly #attribution: Attribution;
  readonly #hasher = new PersonHasher({ key: 'test-hash-key' });
  readonly #teams = new Map<string, string>();
  readonly dispose: () => Promise<void>;
  #numbers!: ReleasedNumbers;
  #shownFriction!: ReleasedFriction;
  #day = FIRST_DAY;
  #records = 0;

  private constructor(database: Database, dispose: () => Promise<void>) {
    this.#database = database;
    this.dispose = dispose;
    this.#surveys = new DatabaseSurveyStore({
      database,
      cycleDays: CYCLE_DAYS,
    });
    this.#friction = new DatabaseFrictionStore(database);
    this.#activity = new DatabaseActivityStore(database);
    this.#people = new DatabasePersonStore(database);
    this.#attribution = new Attribution({
      directory: {
        find: async userId => ({
          userRef: userId,
          team: this.#teams.get(userId),
        }),
      },
      hasher: this.#hasher,
      teams: { assertKnown: async () => {} },
      now: () => new Date(this.#day * DAY_MS),
      timeZone: 'UTC',
    });
  }

  static async open(): Promise<AttackLab> {
    const { database, dispose } = await openTestDatabase('sqlite', {
      migrations: new URL('../../migrations/', import.meta.url),
    });
    return new AttackLab(database, dispose);
  }

  /** Starts a history without any data. */
  async begin(minimumGroupSize: number): Promise<void> {
    for (const table of TABLES) {
      await this.#database.knex(table).delete();
    }
    this.#day = FIRST_DAY;
    this.#records = 0;
    this.#teams.clear();
    const today = () => this.#day;
    const options = { database: this.#database, minimumGroupSize, today };
    const releases = new DatabaseReleases({
      ...options,
      pulseDays: CYCLE_DAYS,
      joiners: async () => [],
    });
    const closeCycles = () => releases.closeCycles();
    this.#numbers = new ReleasedNumbers({ ...options, closeCycles });
    this.#shownFriction = new ReleasedFriction({ ...options, closeCycles });
  }

  pass(days: number): void {
    this.#day += days;
  }

  /** Adds a person to a team in the catalog. */
  move(person: string, team: string): void {
    this.#teams.set(person, team);
  }

  /** Submits a survey. @param claims - the submission's own claims, which must not be trusted. */
  async answer(
    person: string,
    options: { bit: number; claims?: Partial<Origin> },
  ): Promise<void> {
    const { bit, claims } = options;
    this.#records += 1;
    await this.#surveys.add({
      ...(await this.#attribute(person, claims)),
      id: `survey_${this.#records}`,
      overallSatisfaction: 2 ** bit,
      productivityThisWeek: 1,
      blockers: '',
      wins: '',
    });
  }

  async complain(person: string, category: string): Promise<void> {
    this.#records += 1;
    await this.#friction.add({
      ...(await this.#attribute(person)),
      id: `friction_${this.#records}`,
      category,
      severity: 'low',
      timeLostMinutes: this.#records,
      description: `Said by ${person}`,
    });
  }

  async commit(person: string): Promise<void> {
    this.#records += 1;
    await this.#activity.add([
      {
        ...(await this.#attribute(person)),
        source: 'test',
        id: String(this.#records),
        kind: 'commit',
        amount: 1,
        people: 1,
      },
    ]);
  }

  async erase(person: string): Promise<void> {
    await this.#people.erase(this.#hasher.hash(person));
  }

  /** Queries all teams, for all periods that start and end at week boundaries. */
  async askEverything(): Promise<Snapshot> {
    const cuts = Array.from(
      { length: CYCLES * 2 + 1 },
      (_, week) => FIRST_DAY + week * 7,
    );
    const periods = cuts.flatMap((start, index) =>
      cuts.slice(index + 1).map(end => ({ start, end })),
    );
    const whole = { start: FIRST_DAY, end: cuts.at(-1)! };
    const answers = await Promise.all(
      [...TEAMS, ALL_TEAMS].map(team =>
        this.#numbers.read('survey', { team, periods, measures: [] }),
      ),
    );
    const others = [
      ...(await Promise.all(
        [TEAMS[0], ALL_TEAMS].flatMap(team => [
          this.#numbers.read('activity', {
            team,
            periods: [whole],
            measures: [],
          }),
          this.#shownFriction.top({ team, period: whole, limit: 10 }),
        ]),
      )),
      await this.#numbers.teams(),
      await this.#numbers.counted('commits'),
      await this.#numbers.counted('messages'),
    ];
    return {
      text: JSON.stringify([answers, others]),
      get sums() {
        return answers
          .flat()
          .map(({ totals }) => bitsOf(totals?.['survey.satisfaction'] ?? 0));
      },
    };
  }

  #attribute(person: string, claims: Partial<Origin> = {}) {
    const caller = { kind: 'user', id: person } as Caller;
    return this.#attribution.of(caller, { user_id: person, ...claims });
  }
}

function bitsOf(sum: number): Set<number> {
  const bits = new Set<number>();
  for (let bit = 0, left = sum; left > 0; bit += 1) {
    if (left % 2 === 1) {
      bits.add(bit);
    }
    left = Math.floor(left / 2);
  }
  return bits;
}
