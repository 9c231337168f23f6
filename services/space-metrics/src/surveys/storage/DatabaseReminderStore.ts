import type { Database } from '@slipway/service-kit';
import { numberPeople } from '../../storage/numberPeople.ts';
import { chunksOf } from '../../storage/sql.ts';
import {
  type ReminderChanges,
  type ReminderState,
  UNKNOWN,
} from '../Reminder.ts';

const COLUMNS = [
  'people.hash',
  'people.reminder_snoozed_until',
  'people.reminder_opted_out',
];

interface Row {
  hash: string;
  reminder_snoozed_until: number | string | null;
  reminder_opted_out: number | boolean;
  answered_at: number | string | null;
}

/**
 * Stores people's choices about reminders, and reads when they last answered.
 *
 * The last answer is read from the surveys themselves, so that answering needs no additional write.
 * Snoozes and opt-outs are stored with the person.
 */
export class DatabaseReminderStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Reads the state of a person. @returns {@link UNKNOWN} if the person is unknown. */
  async get(personHash: string): Promise<ReminderState> {
    return (await this.getAll([personHash])).get(personHash) ?? UNKNOWN;
  }

  /**
   * Reads the states of many people in one call.
   *
   * @returns only those of known people.
   */
  async getAll(
    personHashes: readonly string[],
  ): Promise<ReadonlyMap<string, ReminderState>> {
    const states = new Map<string, ReminderState>();
    for (const part of chunksOf(personHashes)) {
      const rows: Row[] = await this.#database
        .knex('people')
        .leftJoin('pulse_surveys', 'pulse_surveys.person', 'people.id')
        .whereIn('people.hash', part)
        .groupBy(COLUMNS)
        .select(COLUMNS)
        .max({ answered_at: 'pulse_surveys.occurred_at' });
      for (const row of rows) {
        states.set(row.hash, stateOf(row));
      }
    }
    return states;
  }

  /** Changes the state of a person, who is added if unknown. Undefined members do not change. */
  async change(personHash: string, changes: ReminderChanges): Promise<void> {
    const { snoozedUntil, optedOut } = changes;
    const row = {
      ...(snoozedUntil !== undefined && {
        reminder_snoozed_until: snoozedUntil,
      }),
      ...(optedOut !== undefined && { reminder_opted_out: optedOut }),
    };
    if (Object.keys(row).length === 0) {
      return;
    }
    await this.#database.transaction(async trx => {
      const people = await numberPeople(trx, [personHash]);
      await trx('people')
        .where({ id: people.get(personHash) })
        .update(row);
    });
  }
}

function stateOf(row: Row): ReminderState {
  const { answered_at: answered, reminder_snoozed_until: snoozed } = row;
  return {
    ...(answered && { lastAnsweredAt: Number(answered) }),
    ...(snoozed && { snoozedUntil: Number(snoozed) }),
    // SQLite has no booleans.
    optedOut: Boolean(row.reminder_opted_out),
  };
}

/**
 * Stores when people were last reminded or first seen. A reminder is recorded before it is sent, so
 * each person is reminded at most once, regardless of the number of replicas and of failures. Times
 * are milliseconds since 1970. A claim replaces the recorded time, so only one of two concurrent
 * replicas succeeds.
 */
export class DatabaseSentReminders {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Reads the recorded time of each person. A person seen for the first time is recorded as seen
   * now, because no one should be reminded of a survey that they had no time to answer.
   */
  async note(
    personHashes: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, number>> {
    const noted = new Map<string, number>();
    for (const part of chunksOf(personHashes)) {
      await this.#find(part, noted);
      const unseen = part
        .filter(hash => !noted.has(hash))
        .map(hash => ({ hash, reminded_at: now }));
      if (unseen.length > 0) {
        await this.#database.transaction(trx =>
          trx('pulse_reminders').insert(unseen).onConflict('hash').ignore(),
        );
        // Reads the stored times, because another replica may have been first.
        await this.#find(part, noted);
      }
    }
    return noted;
  }

  /**
   * Records a reminder in place of the previous time.
   *
   * @returns false if another replica was first.
   */
  async claim(
    personHash: string,
    { noted, now }: { noted: number; now: number },
  ): Promise<boolean> {
    const changed = await this.#replace(personHash, { from: noted, to: now });
    return changed > 0;
  }

  /** Reverts a claim after a notification that was not sent. */
  async giveBack(
    personHash: string,
    { noted, now }: { noted: number; now: number },
  ): Promise<void> {
    await this.#replace(personHash, { from: now, to: noted });
  }

  /** Deletes the records of all other people that are not later than `time`. */
  async forgetOthers(
    personHashes: readonly string[],
    time: number,
  ): Promise<void> {
    const known = new Set(personHashes);
    const old: string[] = await this.#database
      .knex('pulse_reminders')
      .where('reminded_at', '<=', time)
      .pluck('hash');
    for (const part of chunksOf(old.filter(hash => !known.has(hash)))) {
      await this.#database.transaction(trx =>
        trx('pulse_reminders').whereIn('hash', part).delete(),
      );
    }
  }

  async #find(
    hashes: readonly string[],
    noted: Map<string, number>,
  ): Promise<void> {
    const rows: { hash: string; reminded_at: number | string }[] =
      await this.#database.knex('pulse_reminders').whereIn('hash', hashes);
    for (const { hash, reminded_at: at } of rows) {
      noted.set(hash, Number(at));
    }
  }

  /**
   * Replaces a recorded time.
   *
   * @returns the number of replaced records; 0 if a concurrent call was first.
   */
  #replace(
    hash: string,
    { from, to }: { from: number; to: number },
  ): Promise<number> {
    return this.#database.transaction(trx =>
      trx('pulse_reminders')
        .where({ hash, reminded_at: from })
        .update({ reminded_at: to }),
    );
  }
}
