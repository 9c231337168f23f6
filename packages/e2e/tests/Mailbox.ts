import { text } from 'node:stream/consumers';
import { expect } from '@playwright/test';
import { SMTPServer } from 'smtp-server';
import { ports } from '../src/addresses.ts';
import { patient } from '@slipway/dev-runner/src/patience.ts';

interface Mail {
  to: string[];
  subject: string;
}

/** The mail server of the platform, which stores all emails that it receives. */
export class Mailbox {
  readonly #mails: Mail[] = [];
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onData: (stream, { envelope }, done) => {
      text(stream).then(raw => {
        const [, subject = ''] = /^Subject: (.*)$/m.exec(raw) ?? [];
        const to = envelope.rcptTo.map(({ address }) => address);
        this.#mails.push({ to, subject });
        done();
      }, done);
    },
  });

  static async open(): Promise<Mailbox> {
    const mailbox = new Mailbox();
    await new Promise<void>((resolve, reject) => {
      mailbox.#server.once('error', reject);
      mailbox.#server.listen(ports.smtp, 'localhost', resolve);
    });
    return mailbox;
  }

  /** Waits until an email to this address with a matching subject has arrived. */
  async has({ to, subject }: { to: string; subject: RegExp }): Promise<void> {
    await expect
      .poll(() => this.#mails, { timeout: patient(60_000) })
      .toContainEqual({ to: [to], subject: expect.stringMatching(subject) });
  }

  async close(): Promise<void> {
    await new Promise<void>(resolve => {
      this.#server.close(() => resolve());
    });
  }
}
