import type { PeopleDirectory } from '../people/PeopleDirectory.ts';
import type { PersonHasher } from '../people/PersonHasher.ts';
import {
  NotificationsClosedError,
  type PortalNotifications,
  type UserNotification,
} from '../portal/PortalNotifications.ts';
import {
  DAY_MS,
  isDue,
  UNKNOWN,
  type ReminderState,
  type ReminderStore,
} from './Reminder.ts';
import type { SentReminders } from './SentReminders.ts';

/** What people are told. */
const PULSE_REMINDER: UserNotification = {
  title: 'Your pulse survey is due',
  description:
    'Two questions, five seconds. On the same page you can snooze this reminder or switch it off.',
  link: '/experience/pulse',
  severity: 'low',
  topic: 'Pulse survey',
  scope: 'space-metrics:pulse-survey',
};

/**
 * Reminds the users of the catalog of a pulse survey that is due: once a cadence, and
 * not at all those who snoozed or opted out.
 *
 * At most once: a reminder that is lost is made up for by the next one, whereas one that
 * comes twice is a nuisance. So it is noted before it is sent, and whoever dies in between
 * leaves one person without it for a cadence.
 */
export class PulseReminders {
  readonly #directory: Pick<PeopleDirectory, 'everyone'>;
  readonly #hasher: PersonHasher;
  readonly #reminders: Pick<ReminderStore, 'get' | 'getAll'>;
  readonly #sent: SentReminders;
  readonly #notifications: Pick<PortalNotifications, 'send'>;
  readonly #cadenceDays: number;
  readonly #now: () => number;

  constructor(options: {
    directory: Pick<PeopleDirectory, 'everyone'>;
    hasher: PersonHasher;
    reminders: Pick<ReminderStore, 'get' | 'getAll'>;
    sent: SentReminders;
    notifications: Pick<PortalNotifications, 'send'>;
    cadenceDays: number;
    now: () => number;
  }) {
    this.#directory = options.directory;
    this.#hasher = options.hasher;
    this.#reminders = options.reminders;
    this.#sent = options.sent;
    this.#notifications = options.notifications;
    this.#cadenceDays = options.cadenceDays;
    this.#now = options.now;
  }

  /**
   * Reminds everybody whom it is time for. The first failure ends the round, as it is
   * mostly the portal's and would cost the others their reminder.
   *
   * @param signal - ends the round after the person whose turn it is.
   * @throws Error when the portal or the database did not do its part.
   */
  async remind(signal: AbortSignal): Promise<void> {
    await this.#sent.forget(this.#now() - this.#cadenceDays * DAY_MS);
    for (const [hash, userRef] of await this.#findDue()) {
      if (signal.aborted) {
        return;
      }
      // A round takes minutes where there are many: some answer or opt out meanwhile.
      const state = await this.#reminders.get(hash);
      if (this.#isDue(state) && (await this.#sent.claim(hash, this.#now()))) {
        await this.#send(hash, userRef);
      }
    }
  }

  async #findDue(): Promise<[hash: string, userRef: string][]> {
    const refs = new Map(
      (await this.#directory.everyone()).map(({ userRef }) => [
        this.#hasher.hash(userRef),
        userRef,
      ]),
    );
    const hashes = await this.#sent.missing([...refs.keys()]);
    const states = await this.#reminders.getAll(hashes);
    return hashes
      .filter(hash => this.#isDue(states.get(hash) ?? UNKNOWN))
      .map(hash => [hash, refs.get(hash)!]);
  }

  #isDue(state: ReminderState): boolean {
    return isDue(state, { cadenceDays: this.#cadenceDays, now: this.#now() });
  }

  async #send(hash: string, userRef: string): Promise<void> {
    try {
      await this.#notifications.send(userRef, PULSE_REMINDER);
    } catch (error) {
      if (error instanceof NotificationsClosedError) {
        await this.#sent.giveBack(hash);
      }
      throw error;
    }
  }
}
