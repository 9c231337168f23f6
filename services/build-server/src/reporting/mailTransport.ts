import { readFileSync } from 'node:fs';
import type { MailOptions } from './MailConfig.ts';

const CONNECT_MS = 10_000;
/** The longest time without a response of the server. */
const SILENCE_MS = 15_000;
/** The longest duration of a whole attempt. */
const ATTEMPT_MS = 40_000;

/** A mail to one receiver, in plain text. */
export interface Mail {
  to: string;
  /** One line. */
  subject: string;
  text: string;
}

/** Why the server did not accept a mail. */
export interface MailFailure {
  /**
   * The error code and the reply code of the server; not the reply's text, which contains
   * addresses.
   */
  reason: string;
  /** True if the server refuses this mail permanently. */
  isFinal: boolean;
}

/** Sends mails to one server. */
export interface MailTransport {
  /**
   * Makes one attempt. Never rejects.
   *
   * @param id - determines the `Message-ID`.
   * @returns undefined if the server has accepted the mail.
   */
  send(
    id: string,
    mail: Mail,
    signal: AbortSignal,
  ): Promise<MailFailure | undefined>;
}

/**
 * Creates a transport that speaks SMTP, over TLS unless the configuration says otherwise. Texts
 * are never read as files or addresses.
 */
export function smtpTransport(options: MailOptions): MailTransport {
  const { host, security, user, password, from, caFile } = options;
  const ca = caFile === undefined ? undefined : readFileSync(caFile, 'utf8');
  return {
    async send(id, { to, subject, text }, signal) {
      // Loaded on demand: it takes 3% of a server's start time, and most servers send no mail.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        host,
        port: options.port ?? (security === 'tls' ? 465 : 587),
        secure: security === 'tls',
        requireTLS: security === 'starttls',
        ignoreTLS: security === 'none',
        tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
        ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
        connectionTimeout: CONNECT_MS,
        greetingTimeout: CONNECT_MS,
        socketTimeout: SILENCE_MS,
        dnsTimeout: CONNECT_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const attempt = new AbortController();
      const stop = () => attempt.abort();
      const timer = setTimeout(stop, ATTEMPT_MS);
      signal.addEventListener('abort', stop, { once: true });
      try {
        await transport.sendMail({
          signal: attempt.signal,
          from: { name: '', address: from },
          // As objects, so that they are never parsed as address lists.
          to: { name: '', address: to },
          envelope: { from, to: [to] },
          subject,
          text,
          messageId: `<${id}@${from.split('@')[1]}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        return undefined;
      } catch (error) {
        return attempt.signal.aborted
          ? { reason: 'ATTEMPT_TIMEOUT', isFinal: false }
          : failureOf(error);
      } finally {
        clearTimeout(timer);
        // The signal outlives many attempts.
        signal.removeEventListener('abort', stop);
        transport.close();
      }
    },
  };
}

function failureOf(error: unknown): MailFailure {
  const { code = 'unknown', responseCode } = (error ?? {}) as {
    code?: string;
    responseCode?: number;
  };
  const isOfMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const isRefused = responseCode !== undefined && responseCode >= 500;
  return {
    reason: [code, responseCode].filter(Boolean).join(' '),
    isFinal: isOfMail && isRefused,
  };
}
