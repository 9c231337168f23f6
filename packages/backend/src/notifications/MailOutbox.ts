import { randomUUID } from 'node:crypto';
import type { LoggerService } from '@backstage/backend-plugin-api';
import type { Notification } from '@backstage/plugin-notifications-common';
import type { Knex } from 'knex';
import { isAbout } from './isAbout';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Longer than a transport waits for a mail server, so that no other replica sends the same mail
 * meanwhile.
 */
const LEASE_MS = 15 * MINUTE_MS;
/** Delay of the second attempt; doubles with each further one. */
const FIRST_DELAY_MS = 30_000;
const MAX_DELAY_MS = 60 * MINUTE_MS;
/** A mail that could not be sent for this long is dropped. */
const MAX_AGE_MS = 7 * DAY_MS;
/**
 * Number of consecutive mails rejected for their recipients after which the mail server may be
 * rejecting all.
 */
const MAX_REJECTIONS = 5;

/**
 * The result of an attempt: `rejected` if only this recipient cannot get mail at the moment,
 * `ended` if the run must stop, because the failure may affect all mails.
 */
type SendResult = 'done' | 'rejected' | 'ended';

/**
 * Sends mails.
 *
 * @throws Error from `sendMail` if the mail server does not accept the mail.
 */
export interface MailTransport {
  sendMail(mail: Mail): Promise<unknown>;
}

/** An email in nodemailer's format, serializable as JSON. */
export interface Mail {
  to?: unknown;
  messageId?: string;
}

interface MailRow {
  id: string;
  mail: string;
  created_at: number | string;
  attempts: number;
  next_at: number | string;
  leased_until: number | string | null;
  notification_id: string | null;
  user_ref: string | null;
  scope: string | null;
}

/** Options of {@link MailOutbox}. */
interface MailOutboxOptions {
  knex: Knex;
  /** Opens the connection to the mail server. */
  transport: () => Promise<MailTransport>;
  /** The domain in the message ids of the mails. */
  host: string;
  logger: LoggerService;
  now?: () => number;
}

/**
 * Stores mails in a database until the mail server has accepted them, across restarts. Replicas
 * share the database, and each mail is sent by one of them.
 */
export class MailOutbox {
  readonly #options: Required<MailOutboxOptions>;
  #work: Promise<void> | undefined;
  #isAsked = false;

  constructor(options: MailOutboxOptions) {
    this.#options = { now: () => Date.now(), ...options };
  }

  #mails() {
    return this.#options.knex<MailRow>('slipway_mails');
  }

  /**
   * Stores a mail and starts sending it.
   *
   * @param notification - what the mail is about; once it has been read in the portal, the mail is
   *   no longer sent.
   */
  async add(mail: Mail, notification?: Notification): Promise<void> {
    const { logger, now, host } = this.#options;
    const id = randomUUID();
    await this.#mails().insert({
      id,
      // The same in each attempt, so that mail servers recognise a mail that they accepted without
      // the sender noticing.
      mail: JSON.stringify({ ...mail, messageId: `<${id}@${host}>` }),
      created_at: now(),
      attempts: 0,
      next_at: now(),
      notification_id: notification?.id,
      user_ref: notification?.user,
      scope: notification?.payload.scope,
    });
    this.run().catch(error =>
      logger.warn(`Sending emails failed; they are retried: ${error}`),
    );
  }

  /** Drops the mails to a user about notifications of these scopes. */
  async drop(user: string, scopes: readonly string[]): Promise<void> {
    await this.#mails()
      .where({ user_ref: user })
      .whereIn('scope', [...scopes])
      .delete();
  }

  /** Drops the mails about entities of a namespace, and those to its users. */
  async forgetNamespace(namespace: string): Promise<void> {
    await this.#mails()
      .where(isAbout(['scope', 'user_ref'], namespace))
      .delete();
  }

  /**
   * Sends the mails that are due. After a temporary failure, the run ends, and the failed mail waits
   * before its next attempt. If only its recipient cannot get mail at the moment, the run continues,
   * unless this happens several times in a row.
   */
  run(): Promise<void> {
    this.#isAsked = true;
    this.#work ??= this.#sendAll().finally(() => {
      this.#work = undefined;
    });
    return this.#work;
  }

  async #sendAll(): Promise<void> {
    while (this.#isAsked) {
      this.#isAsked = false;
      await this.#sendDue();
    }
  }

  async #sendDue(): Promise<void> {
    let rejections = 0;
    let row = await this.#take();
    while (row) {
      const result = await this.#send(row);
      rejections = result === 'rejected' ? rejections + 1 : 0;
      if (result === 'ended' || rejections === MAX_REJECTIONS) {
        return;
      }
      row = await this.#take();
    }
  }

  /** Reserves for this replica the mail that has been due longest. */
  async #take(): Promise<MailRow | undefined> {
    const { now } = this.#options;
    const due = () =>
      this.#mails()
        .where('next_at', '<=', now())
        .where(free =>
          free.whereNull('leased_until').orWhere('leased_until', '<', now()),
        );
    for (;;) {
      const row = await due().orderBy('next_at').first();
      if (!row) {
        return undefined;
      }
      // Another replica may have tried it in the meantime, so that it is no longer due.
      const count = await due()
        .where({ id: row.id })
        .update({ leased_until: now() + LEASE_MS });
      if (count > 0) {
        return row;
      }
    }
  }

  /** Sends one mail. */
  async #send(row: MailRow): Promise<SendResult> {
    const { transport, logger, now } = this.#options;
    const own = this.#mails().where({ id: row.id });
    const mail = JSON.parse(row.mail) as Mail;
    if (await this.#isRead(row)) {
      await own.delete();
      return 'done';
    }
    try {
      await (await transport()).sendMail(mail);
    } catch (error) {
      const isOver = Number(row.created_at) < now() - MAX_AGE_MS;
      if (isOver || isRefused(error)) {
        logger.error(`An email to ${mail.to} could not be sent: ${error}`);
        await own.delete();
        return 'done';
      }
      logger.warn(
        `An email to ${mail.to} could not be sent and is retried: ${error}`,
      );
      await own.update({
        attempts: row.attempts + 1,
        next_at:
          now() + Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** row.attempts),
        leased_until: null,
      });
      return isOfRecipient(error) ? 'rejected' : 'ended';
    }
    await own.delete();
    return 'done';
  }

  /** Checks whether the user has read the mail's notification in the portal. */
  async #isRead({ notification_id: id }: MailRow): Promise<boolean> {
    const read =
      id !== null &&
      (await this.#options
        .knex('notification')
        .where({ id })
        .whereNotNull('read')
        .first('id'));
    return Boolean(read);
  }
}

/**
 * Checks whether the mail server will never accept a mail, e.g. because its recipient is unknown.
 */
function isRefused(error: unknown): boolean {
  return responseToMail(error) >= 500;
}

/** The status with which a mail server closes the connection, whatever the command was. */
const CLOSING = 421;

/**
 * Checks whether a mail server rejected only the recipient of a mail and may accept other mails.
 * Rejections of the sender or the content, such as those of a rate limit, affect the others too.
 */
function isOfRecipient(error: unknown): boolean {
  const response = responseToMail(error);
  const { command } = error as { command?: string };
  return command === 'RCPT TO' && response >= 400 && response !== CLOSING;
}

/** Returns the status with which a mail server rejected a mail; 0 for any other failure. */
function responseToMail(error: unknown): number {
  const { code, responseCode = 0 } = error as {
    code?: string;
    responseCode?: number;
  };
  return code === 'EENVELOPE' || code === 'EMESSAGE' ? responseCode : 0;
}
