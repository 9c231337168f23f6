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

/** An unread notification that has a scope. */
interface Notice {
  scope: string;
  /** When it was last sent, in milliseconds since the Unix epoch. */
  sentAt: number;
}

/** A row of the notifications plugin's table; the type of times depends on the database. */
interface NoticeRow {
  id: string;
  user: string;
  scope: string;
  created: Date | string | number;
  updated: Date | string | number | null;
}

/**
 * Deletes notifications that have been sent, and marks those of absent users as read. Backstage's
 * notifications plugin cannot do this, so its tables are changed directly. Shared by all plugins of
 * the process; does nothing without the notifications plugin.
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
   * Marks unread notifications as read, and drops mails about them that have not been sent yet. Sends
   * a signal to open pages, so that they update their count.
   *
   * @param options.origin - ignores notifications of other origins.
   * @param options.isRead - by user reference, a function that selects the notifications to mark.
   */
  async markRead(options: {
    origin: string;
    isRead: ReadonlyMap<string, (notice: Notice) => boolean>;
  }): Promise<void> {
    const { origin, isRead } = options;
    const knex = this.#knex;
    if (!knex || isRead.size === 0) {
      return;
    }
    const unread: NoticeRow[] = await knex('notification')
      .select('id', 'user', 'scope', 'created', 'updated')
      .whereIn('user', [...isRead.keys()])
      .where({ origin })
      .whereNull('read')
      .whereNotNull('scope');
    const read = unread.filter(({ user, scope, created, updated }) =>
      isRead.get(user)!({
        scope,
        sentAt: new Date(updated ?? created).getTime(),
      }),
    );
    for (const [user, own] of Map.groupBy(read, row => row.user)) {
      for (let from = 0; from < own.length; from += CHUNK) {
        await knex('notification')
          .whereIn('id', idsOf(own.slice(from, from + CHUNK)))
          .update({ read: new Date() });
      }
      const scopes = own.map(({ scope }) => scope);
      await this.dropMails(user, scopes);
      await this.#announceRead(user, idsOf(own));
    }
  }

  async #announceRead(user: string, ids: string[]): Promise<void> {
    await this.#signals?.publish({
      recipients: { type: 'user', entityRef: user },
      channel: 'notifications',
      message: { action: 'notification_read', notification_ids: ids },
    });
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
      await knex('notification')
        .whereIn('id', idsOf(rows.slice(from, from + CHUNK)))
        .delete();
    }
    for (const table of OF_USERS) {
      await knex(table)
        .where(isAbout(['user'], namespace))
        .delete();
    }
    for (const [user, own] of Map.groupBy(rows, row => row.user)) {
      await this.#announceRead(user, idsOf(own));
    }
    return rows.length;
  }
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
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
