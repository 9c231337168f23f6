import { randomUUID } from 'node:crypto';
import type { LoggerService } from '@backstage/backend-plugin-api';
import type { Notification } from '@backstage/plugin-notifications-common';
import type { Knex } from 'knex';
import { isAbout } from './isAbout';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Longer than a transport waits for a mail server, so that no other replica sends the mail too. */
const LEASE_MS = 15 * MINUTE_MS;
/** The time until the second attempt; it doubles with each further one. */
const FIRST_DELAY_MS = 30_000;
const MAX_DELAY_MS = 60 * MINUTE_MS;
/** A mail that nobody could send for this long is dropped. */
const MAX_AGE_MS = 7 * DAY_MS;
/** Mails rejected in a row for their recipients, after which the mail server may reject all. */
const MAX_REJECTIONS = 5;

/**
 * What a run does after a mail: `rejected` if only its recipient cannot get mails at the moment, `ended`
 * if the mail server should not be asked again at once.
 */
type SendResult = 'done' | 'rejected' | 'ended';

/** Sends a mail. @throws Error if the mail server does not accept it. */
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
  /** The domain of the mails' ids. */
  host: string;
  logger: LoggerService;
  now?: () => number;
}

/**
 * Keeps mails in a database until the mail server has accepted them, across restarts. Replicas share
 * it, and each mail is sent by one of them.
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
   * Stores a mail, and begins to send it.
   *
   * @param notification - what it is about: once that is read, the mail is no longer sent.
   */
  async add(mail: Mail, notification?: Notification): Promise<void> {
    const { logger, now, host } = this.#options;
    const id = randomUUID();
    await this.#mails().insert({
      id,
      // The same at each attempt: mail servers recognise a mail whose acceptance got lost.
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
   * Sends the emails that are due. One that fails waits before its next attempt, and so do all others
   * unless only its recipient cannot get mails at the moment. Several of these in a row count as a
   * failure for all.
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

  /** Reserves the mail that has waited longest for this replica. */
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
      // Another replica may have tried it since, and it is no longer due.
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

  /** Returns whether the user has read in the portal what a mail is about. */
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

/** Returns whether a mail server will never accept a mail, for instance to an unknown address. */
function isRefused(error: unknown): boolean {
  return responseToMail(error) >= 500;
}

/** The response with which a mail server closes the connection, whatever it was asked. */
const CLOSING = 421;

/**
 * Returns whether a mail server cannot accept a mail at the moment, but perhaps others. Rejections of the
 * sender or the content, such as those of a rate limit, concern the others too.
 */
function isOfRecipient(error: unknown): boolean {
  const response = responseToMail(error);
  const { command } = error as { command?: string };
  return command === 'RCPT TO' && response >= 400 && response !== CLOSING;
}

/** Returns the code with which a mail server rejected a mail; 0 for a failure of another kind. */
function responseToMail(error: unknown): number {
  const { code, responseCode = 0 } = error as {
    code?: string;
    responseCode?: number;
  };
  return code === 'EENVELOPE' || code === 'EMESSAGE' ? responseCode : 0;
}
