import { PortalAnswerError, type PortalClient } from '@slipway/service-kit';
import type { CatalogPeopleDirectory } from '../people/CatalogPeopleDirectory.ts';
import type { PersonHasher } from '../people/person.ts';
import { DAY_MS, isDue, type ReminderState, UNKNOWN } from './Reminder.ts';
import type {
  DatabaseReminderStore,
  DatabaseSentReminders,
} from './storage/DatabaseReminderStore.ts';

const PATH = '/api/notifications/notifications';

/** Answers after which a notification was surely not delivered to anybody. */
const TURNED_AWAY = new Set([401, 403, 404, 429]);

/** What a user reads. */
interface UserNotification {
  readonly title: string;
  readonly description: string;
  /** Path of a page of the portal, e.g. `/home`. */
  readonly link: string;
  readonly severity: 'low' | 'normal' | 'high' | 'critical';
  /** The kind by which users switch off what they do not want. */
  readonly topic: string;
  /** A user has one notification of a scope: a later one takes its place, unread. */
  readonly scope: string;
}

/** The portal took nothing: no token, no plugin for it, too many requests. */
class NotificationsClosedError extends Error {
  override readonly name = 'NotificationsClosedError';
}

/** Notifies users through the notifications plugin of the portal. */
export class PortalNotifications {
  readonly #portal: PortalClient;

  constructor(portal: PortalClient) {
    this.#portal = portal;
  }

  /**
   * Sends to one user. Sent again when there is no answer, which the scope allows.
   *
   * @param userRef - entity reference, e.g. `user:default/ada`.
   * @throws NotificationsClosedError when it was surely not delivered; another Error
   *   when that is unknown.
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
