import { ConfigurationError } from '@slipway/service-kit';
import type { Kit } from '../config.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { mailNotices } from './mailNotices.ts';
import { MailQueue } from './MailQueue.ts';
import { smtpTransport } from './mailTransport.ts';
import type { TellBuild } from './news.ts';

const EVERY_MS = 2_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;

/**
 * Sets up mails, if the configuration names a server for them.
 *
 * @returns a function to call in the transaction that ends a build.
 * @throws ConfigurationError for a configuration that would send mails in clear text.
 */
export function setUpMail(kit: Kit, { jobs }: { jobs: JobCatalog }): TellBuild {
  const { mail } = kit.config;
  if (!mail) {
    return async () => {};
  }
  const isLocal = LOOPBACK.test(mail.host);
  if (mail.security === 'none' && kit.isProduction && !isLocal) {
    throw new ConfigurationError([
      'buildServer.mail.security: none would send mails in clear text. Set it to starttls or tls',
    ]);
  }
  if ((mail.user === undefined) !== (mail.password === undefined)) {
    throw new ConfigurationError([
      'buildServer.mail: user and password must be set together',
    ]);
  }
  const { database, now, logger } = kit;
  const transport = smtpTransport(mail);
  const queue = new MailQueue({ database, transport, logger, now });
  kit.every({
    name: 'Sending mail',
    everyMs: EVERY_MS,
    work: signal => queue.work(signal),
  });
  return mailNotices(kit, { jobs, queue });
}
