import type { DatabaseReminderStore } from './storage/DatabaseReminderStore.ts';
import type { DatabaseSentReminders } from './storage/DatabaseSentReminders.ts';
import type { PersonHasher } from '../people/PersonHasher.ts';
import type { CatalogPeopleDirectory } from '../people/CatalogPeopleDirectory.ts';
import {
  NotificationsClosedError,
  type PortalNotifications,
  type UserNotification,
} from '../portal/PortalNotifications.ts';
import { DAY_MS, type ReminderState, UNKNOWN, isDue } from './Reminder.ts';

/** What people are told. */
const PULSE_REMINDER: UserNotification = {
  title: 'Your pulse survey is due',
  description:
    'Two questions, five seconds. You can snooze or turn off reminders on the same page.',
  link: '/experience/pulse',
  severity: 'low',
  topic: 'Pulse survey',
  scope: 'space-metrics:pulse-survey',
};

/** Somebody whose turn it is. */
interface DuePerson {
  readonly hash: string;
  readonly userRef: string;
  /** When the last reminder was, or the person was first seen. */
  readonly noted: number;
}

interface PulseRemindersOptions {
  directory: Pick<CatalogPeopleDirectory, 'everyone'>;
  hasher: PersonHasher;
  reminders: Pick<DatabaseReminderStore, 'get' | 'getAll'>;
  sent: DatabaseSentReminders;
  notifications: Pick<PortalNotifications, 'send'>;
  cadenceDays: number;
  now: () => number;
}

/**
 * Reminds the users of the catalog of a pulse survey that is due: once a cadence, first a
 * cadence after they were first seen, and not at all those who snoozed or opted out.
 *
 * At most once: a reminder that is lost is made up for by the next one, whereas one that
 * comes twice is a nuisance. So it is noted before it is sent, and whoever dies in between
 * leaves one person without it for a cadence.
 */
export class PulseReminders {
  readonly #options: PulseRemindersOptions;

  constructor(options: PulseRemindersOptions) {
    this.#options = options;
  }

  /**
   * Reminds everybody whom it is time for. The first failure ends the round, as it is
   * mostly the portal's and would cost the others their reminder.
   *
   * @param signal - ends the round after the person whose turn it is.
   * @throws Error when the portal or the database did not do its part.
   */
  async remind(signal: AbortSignal): Promise<void> {
    const everyone = await this.#options.directory.everyone();
    if (everyone === undefined) {
      return;
    }
    const refs = new Map(
      everyone.map(({ userRef }) => [
        this.#options.hasher.hash(userRef),
        userRef,
      ]),
    );
    for (const { hash, userRef, noted } of await this.#findDue(refs)) {
      if (signal.aborted) {
        return;
      }
      // A round takes minutes where there are many: some answer or opt out meanwhile.
      const state = await this.#options.reminders.get(hash);
      const times = { noted, now: this.#options.now() };
      if (this.#isDue(state) && (await this.#options.sent.claim(hash, times))) {
        await this.#send(userRef, () =>
          this.#options.sent.giveBack(hash, times),
        );
      }
    }
    await this.#options.sent.forgetOthers([...refs.keys()], this.#lastTurn());
  }

  async #findDue(refs: ReadonlyMap<string, string>): Promise<DuePerson[]> {
    const noted = await this.#options.sent.note(
      [...refs.keys()],
      this.#options.now(),
    );
    const people = [...refs].flatMap(([hash, userRef]): DuePerson[] => {
      const at = noted.get(hash);
      return at !== undefined && at <= this.#lastTurn()
        ? [{ hash, userRef, noted: at }]
        : [];
    });
    const states = await this.#options.reminders.getAll(
      people.map(({ hash }) => hash),
    );
    return people.filter(({ hash }) =>
      this.#isDue(states.get(hash) ?? UNKNOWN),
    );
  }

  /** Whoever was reminded or first seen by then may be reminded. */
  #lastTurn(): number {
    return this.#options.now() - this.#options.cadenceDays * DAY_MS;
  }

  #isDue(state: ReminderState): boolean {
    return isDue(state, {
      cadenceDays: this.#options.cadenceDays,
      now: this.#options.now(),
    });
  }

  async #send(userRef: string, giveBack: () => Promise<void>): Promise<void> {
    try {
      await this.#options.notifications.send(userRef, PULSE_REMINDER);
    } catch (error) {
      if (error instanceof NotificationsClosedError) {
        await giveBack();
      }
      throw error;
    }
  }
}
