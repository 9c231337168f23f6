import { PortalAnswerError, type PortalClient } from '@slipway/service-kit';

const PATH = '/api/notifications/notifications';

/** Answers after which a notification was surely not delivered to anybody. */
const TURNED_AWAY = new Set([401, 403, 404, 429]);

/** What a user reads. */
export interface UserNotification {
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
export class NotificationsClosedError extends Error {
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
