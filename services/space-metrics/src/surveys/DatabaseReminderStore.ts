import type { Database } from '@slipway/service-kit';
import { findPerson, numberPeople } from '../people/DatabasePeople.ts';
import type {
  ReminderChanges,
  ReminderState,
  ReminderStore,
} from './Reminder.ts';

export class DatabaseReminderStore implements ReminderStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async get(personHash: string): Promise<ReminderState> {
    const { knex } = this.#database;
    const person = await findPerson(knex, personHash);
    if (person === undefined) {
      return { optedOut: false };
    }
    const settings = await knex('people').where({ id: person }).first();
    const last = await knex('pulse_surveys')
      .where({ person })
      .max({ at: 'occurred_at' })
      .first();
    const snoozed = settings?.reminder_snoozed_until;
    return {
      ...(last?.at && { lastAnsweredAt: Number(last.at) }),
      ...(snoozed && { snoozedUntil: Number(snoozed) }),
      // SQLite has no booleans.
      optedOut: Boolean(settings?.reminder_opted_out),
    };
  }

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
