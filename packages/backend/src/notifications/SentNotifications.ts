import {
  coreServices,
  createBackendModule,
  createServiceFactory,
  createServiceRef,
} from '@backstage/backend-plugin-api';
import {
  type SignalsService,
  signalsServiceRef,
} from '@backstage/plugin-signals-node';
import type { Knex } from 'knex';
import { isAbout } from './isAbout';
import type { MailOutbox } from './MailOutbox';

/** Number of values in a statement, below the limits of both databases. */
const CHUNK = 200;
/** Tables of the notifications plugin with what each user chose or read. */
const OF_USERS = ['user_settings', 'broadcast_user_status'];

/**
 * Deletes notifications that have been sent. Backstage's notifications plugin cannot do this, so
 * its tables are changed directly. Shared by all plugins of the process; does nothing without the
 * notifications plugin.
 */
export class SentNotifications {
  #knex: Knex | undefined;
  #signals: SignalsService | undefined;
  #mails: Pick<MailOutbox, 'drop' | 'forgetNamespace'> | undefined;

  /**
   * Connects it to the notifications plugin.
   *
   * @param options.knex - the database of the notifications plugin.
   */
  open(options: { knex: Knex; signals: SignalsService }): void {
    this.#knex = options.knex;
    this.#signals = options.signals;
  }

  /** Sets the outbox whose mails are deleted together with their notifications. */
  mailsWaitIn(outbox: Pick<MailOutbox, 'drop' | 'forgetNamespace'>): void {
    this.#mails = outbox;
  }

  /** Drops the mails to a user about notifications of these scopes that have not been sent yet. */
  async dropMails(user: string, scopes: readonly string[]): Promise<void> {
    await this.#mails?.drop(user, scopes);
  }

  /**
   * Deletes the notifications about entities of a namespace, including read and saved ones, and
   * those of its users, the settings of these users, and mails that have not been sent. Open pages
   * are notified, so that they update their count.
   *
   * @returns how many notifications were deleted.
   */
  async forgetNamespace(namespace: string): Promise<number> {
    const knex = this.#knex;
    if (!knex) {
      return 0;
    }
    await this.#mails?.forgetNamespace(namespace);
    const rows: { id: string; user: string }[] = await knex('notification')
      .select('id', 'user')
      .where(isAbout(['scope', 'user'], namespace));
    for (let from = 0; from < rows.length; from += CHUNK) {
      const chunk = rows.slice(from, from + CHUNK);
      await knex('notification')
        .whereIn(
          'id',
          chunk.map(({ id }) => id),
        )
        .delete();
    }
    for (const table of OF_USERS) {
      await knex(table)
        .where(isAbout(['user'], namespace))
        .delete();
    }
    for (const [user, own] of Map.groupBy(rows, row => row.user)) {
      await this.#signals?.publish({
        recipients: { type: 'user', entityRef: user },
        channel: 'notifications',
        message: {
          action: 'notification_read',
          notification_ids: own.map(({ id }) => id),
        },
      });
    }
    return rows.length;
  }
}

export const sentNotificationsRef = createServiceRef<SentNotifications>({
  id: 'slipway.sent-notifications',
  scope: 'root',
  defaultFactory: async service =>
    createServiceFactory({
      service,
      deps: {},
      factory: () => new SentNotifications(),
    }),
});

/** Connects {@link SentNotifications} to the notifications plugin. */
export const sentNotificationsModule = createBackendModule({
  pluginId: 'notifications',
  moduleId: 'slipway-sent',
  register(env) {
    env.registerInit({
      deps: {
        database: coreServices.database,
        sent: sentNotificationsRef,
        signals: signalsServiceRef,
      },
      async init({ database, sent, signals }) {
        sent.open({ knex: await database.getClient(), signals });
      },
    });
  },
});
