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
 * Keeps when people answered last, and what they chose about being reminded.
 *
 * Reads the last answer from the surveys themselves, so that answering needs no further
 * write. Snoozes and opting out are kept with the person.
 */
export class DatabaseReminderStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @returns {@link UNKNOWN} of somebody who is not known. */
  async get(personHash: string): Promise<ReminderState> {
    return (await this.getAll([personHash])).get(personHash) ?? UNKNOWN;
  }

  /** Reads many at once. @returns only those of whom something is known. */
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

  /** Leaves what is undefined as it is. A person who is not known is added. */
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
