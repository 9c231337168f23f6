import { PortalAnswerError, type PortalClient } from '@slipway/service-kit';
import type { CatalogPeopleDirectory } from '../people/CatalogPeopleDirectory.ts';
import type { PersonHasher } from '../people/person.ts';
import { DAY_MS, isDue, type ReminderState, UNKNOWN } from './Reminder.ts';
import type {
  DatabaseReminderStore,
  DatabaseSentReminders,
} from './storage/DatabaseReminderStore.ts';

const PATH = '/api/notifications/notifications';

/** Statuses that mean that a notification was certainly not delivered. */
const TURNED_AWAY = new Set([401, 403, 404, 429]);

/** The content of a notification. */
interface UserNotification {
  readonly title: string;
  readonly description: string;
  /** Path of a page of the portal, e.g. `/home`. */
  readonly link: string;
  readonly severity: 'low' | 'normal' | 'high' | 'critical';
  /** The topic by which users can disable notifications. */
  readonly topic: string;
  /** Identifies a user's notification: a later one with the same scope replaces it, as unread. */
  readonly scope: string;
}

/**
 * Thrown if the portal accepts no notifications: no token, no plugin for them, or too many
 * requests.
 */
class NotificationsClosedError extends Error {
  override readonly name = 'NotificationsClosedError';
}

/** Notifies users through the portal's notifications plugin. */
export class PortalNotifications {
  readonly #portal: PortalClient;

  constructor(portal: PortalClient) {
    this.#portal = portal;
  }

  /**
   * Sends a notification to one user. Retries if there is no response, which is safe because of the
   * scope.
   *
   * @param userRef - entity reference, e.g. `user:default/ada`.
   * @throws NotificationsClosedError if it was certainly not delivered; another Error if that is
   * unknown.
   */
  async send(userRef: string, payload: UserNotification): Promise<void> {
    try {
      await this.#portal.post(PATH, {
        recipients: { type: 'entity', entityRef: userRef },
        payload,
      });
    } catch (error) {
      if (error instanceof PortalAnswerError && TURNED_AWAY.has(error.status)) {
        throw new NotificationsClosedError(error.message, { cause: error });
      }
      throw error;
    }
  }
}

/** The text of the reminder. */
export const PULSE_REMINDER: UserNotification = {
  title: 'Your pulse survey is due',
  description:
    'Two questions, five seconds. You can snooze or turn off reminders on the same page.',
  link: '/experience/pulse',
  severity: 'low',
  topic: 'Pulse survey',
  scope: 'space-metrics:pulse-survey',
};

/** A person whose reminder is due. */
interface DuePerson {
  readonly hash: string;
  readonly userRef: string;
  /** Time at which the last reminder was sent or, if there was none, the person was first seen. */
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
 * Reminds users in the catalog of a due pulse survey: once per interval, for the first time one
 * interval after they were first seen, and never while they snooze it or after they opted out.
 *
 * Reminders are sent at most once: the next reminder makes up for a lost one, whereas a duplicate
 * is a nuisance. A reminder is therefore recorded before it is sent; if the process dies in
 * between, one person gets none in that interval.
 */
export class PulseReminders {
  readonly #options: PulseRemindersOptions;

  constructor(options: PulseRemindersOptions) {
    this.#options = options;
  }

  /**
   * Reminds all people whose reminder is due. The first failure ends the run, because it is most
   * likely the portal's, and trying the others would cost them their reminder.
   *
   * @param signal - ends the run after the current person.
   * @throws Error if the portal or the database fails.
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
      // Read again, because a run takes minutes for many people, and some may answer or opt out
      // meanwhile.
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

  /**
   * Returns the latest time of the last reminder, or of first seeing the person, for which the next
   * reminder is due.
   */
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
