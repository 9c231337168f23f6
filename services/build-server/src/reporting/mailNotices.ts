import { type Build, pageOf } from '../builds/Build.ts';
import type { Kit } from '../config.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { MAIL_ADDRESS } from '../jobs/JobParts.ts';
import { resultBefore } from '../storage/JobHistory.ts';
import type { MailQueue } from './MailQueue.ts';
import type { Mail } from './mailTransport.ts';
import {
  failuresOf,
  type News,
  newsOf,
  sentenceOf,
  type TellBuild,
} from './news.ts';

const MAX_AUTHORS = 5;
const MAX_SUBJECT = 150;
const ADDRESS = new RegExp(MAIL_ADDRESS);

/**
 * Mails the people of a job when it breaks or is fixed: the addresses of the job, and the authors
 * of the commits if the job says so. Addresses in commits are not verified, so only those in
 * `mail.authorDomains` get mail, and none for builds of forks.
 *
 * @returns a function to call in the transaction that ends a build.
 */
export function mailNotices(
  kit: Pick<Kit, 'config' | 'portal'>,
  { jobs, queue }: { jobs: JobCatalog; queue: Pick<MailQueue, 'enqueue'> },
): TellBuild {
  const { mail } = kit.config;
  return async (trx, build) => {
    const receivers = mail
      ? receiversOf(build, {
          ...jobs.findOfBuild(build.job)?.mail,
          domains: mail.authorDomains,
        })
      : [];
    if (receivers.length === 0) {
      return;
    }
    const news = newsOf(build, await resultBefore(trx, build));
    if (news) {
      const notice = noticeOf(build, news, kit.portal.appUrl + pageOf(build));
      await queue.enqueue(
        trx,
        receivers.map(to => ({ to, ...notice })),
      );
    }
  };
}

/** Returns the addresses that get mail of a build, each once. */
function receiversOf(
  { source }: Build,
  options: {
    to?: readonly string[];
    authors?: boolean;
    domains: readonly string[];
  },
): string[] {
  const { to = [], authors = false, domains } = options;
  const isTrusted = authors && source?.pullRequest?.isFork !== true;
  const written = (isTrusted ? (source?.commits ?? []) : [])
    .flatMap(({ email }) => email ?? [])
    .filter(address => address.length <= 254 && ADDRESS.test(address))
    .filter(address =>
      domains.some(domain => address.toLowerCase().endsWith(`@${domain}`)),
    );
  const byName = new Map(
    [...to, ...[...new Set(written)].slice(-MAX_AUTHORS)].map(address => [
      address.toLowerCase(),
      address,
    ]),
  );
  return [...byName.values()];
}

function noticeOf(build: Build, news: News, page: string): Omit<Mail, 'to'> {
  const { job, number, tests } = build;
  const state = news === 'broken' ? 'is broken' : 'is fixed';
  const failures = news === 'broken' ? failuresOf(tests, line) : [];
  return {
    subject: line(`${job} #${number} ${state}`).slice(0, MAX_SUBJECT),
    text: [
      line(sentenceOf(build, news)),
      ...(failures.length > 0 ? ['', 'Failed tests:', ...failures] : []),
      '',
      page,
      '',
    ].join('\n'),
  };
}

/** Puts a text of a build on one line, without characters that control a terminal or a header. */
function line(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 1_000);
}
