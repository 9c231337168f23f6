import { CHAT_TITLES, chatPayload } from '@slipway/service-kit';
import type { Build, TestSummary } from '../builds/Build.ts';
import type { ForgeOptions, Kit } from '../config.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { resultBefore } from '../storage/JobHistory.ts';
import {
  apiOf,
  bitbucketRepository,
  credentialsOf,
  isBitbucket,
  repositoryAt,
} from './commitStatus.ts';
import { newsOf, sentenceOf } from './news.ts';
import { pageOf } from './reportBuilds.ts';

type Transaction = Parameters<Kit['outbox']['enqueue']>[0];

const SHOWN_TESTS = 20;

/** A stored comment for a pull request. */
interface Comment {
  url: string;
  body: string;
}

/**
 * Notifies chats when a job breaks or is fixed, and comments failed tests on pull
 * requests. Text from builds may contain chat or forge markup, which could mention people
 * or imitate them: all markup is removed or escaped. Only the chat or forge gets the message,
 * no webhook of other receivers.
 *
 * @returns a function to call in the transaction that ends a build.
 */
export function tellPeople(
  kit: Pick<Kit, 'config' | 'outbox' | 'portal'>,
  { jobs }: { jobs: JobCatalog },
): { tell(trx: Transaction, build: Build): Promise<void> } {
  const { config, outbox, portal } = kit;
  const forges = Object.entries(config.forges).filter(
    ([, { comments }]) => comments,
  );
  for (const [name, { kind, url }] of Object.entries(config.chats)) {
    outbox.endpoints.add({
      id: `chat-${name}`,
      kind: CHAT_TITLES[kind],
      url,
      events: [],
      headers: { 'Content-Type': 'application/json' },
    });
  }
  for (const [name, forge] of forges) {
    outbox.endpoints.add({
      id: `comments-${name}`,
      kind: 'Comments',
      url: forge.apiUrl ?? forge.url,
      events: [],
      headers: credentialsOf(forge),
      async prepare(body) {
        const { url, body: text } = JSON.parse(body) as Comment;
        return { url, body: JSON.stringify(commentBody(forge, text)) };
      },
    });
  }

  async function tellForges(trx: Transaction, build: Build): Promise<void> {
    const number = build.source?.pullRequest?.number;
    const address = jobs.findOfBuild(build.job)?.source?.repository;
    if (number === undefined || address === undefined) {
      return;
    }
    for (const [name, forge] of forges) {
      const repository = repositoryAt(forge, address);
      if (repository !== undefined) {
        const payload: Comment = {
          url: commentsOf(forge, { repository, number }),
          body: commentOn(build, pageOf(portal.appUrl, build)),
        };
        await outbox.enqueue(trx, {
          name: `build.comment.${name}`,
          payload,
          to: [`comments-${name}`],
        });
      }
    }
  }

  return {
    async tell(trx, build) {
      const chats = (jobs.findOfBuild(build.job)?.notify ?? []).filter(name =>
        Object.hasOwn(config.chats, name),
      );
      if (chats.length === 0 && forges.length === 0) {
        return;
      }
      const news = newsOf(build, await resultBefore(trx, build));
      if (!news) {
        return;
      }
      const page = pageOf(portal.appUrl, build);
      for (const chat of chats) {
        const payload = chatPayload(config.chats[chat].kind, {
          text: sentenceOf(build, news),
          link: { title: `${build.job} #${build.number}`, url: page },
        });
        await outbox.enqueue(trx, {
          name: `build.chat.${chat}`,
          payload,
          to: [`chat-${chat}`],
        });
      }
      if (news === 'broken') {
        await tellForges(trx, build);
      }
    },
  };
}

function commentBody({ kind }: ForgeOptions, text: string): object {
  switch (kind) {
    case 'bitbucket-cloud':
      return { content: { raw: text } };
    case 'bitbucket-server':
      return { text };
    default:
      return { body: text };
  }
}

/** Returns the API address for comments on a pull or merge request. */
function commentsOf(
  forge: ForgeOptions,
  { repository, number }: { repository: string; number: number },
): string {
  if (forge.kind === 'gitlab') {
    const project = encodeURIComponent(repository);
    return `${apiOf(forge)}/projects/${project}/merge_requests/${number}/notes`;
  }
  if (isBitbucket(forge)) {
    const requests =
      forge.kind === 'bitbucket-cloud' ? 'pullrequests' : 'pull-requests';
    return `${bitbucketRepository(forge, repository)}/${requests}/${number}/comments`;
  }
  const path = repository.split('/').map(encodeURIComponent).join('/');
  return `${apiOf(forge)}/repos/${path}/issues/${number}/comments`;
}

function commentOn(
  { job, number, reason, tests }: Build,
  page: string,
): string {
  const what = code(reason ?? 'it failed');
  return [
    `Build [${job} #${number}](${page}) failed: ${what}`,
    ...(tests && tests.failed > 0 ? ['', ...failuresOf(tests)] : []),
  ].join('\n');
}

function failuresOf({ failed, failures }: TestSummary): string[] {
  const shown = failures.slice(0, SHOWN_TESTS);
  const rest = failed - shown.length;
  return [
    ...shown.map(({ suite, name }) => `- ${code(`${suite}: ${name}`)}`),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ];
}

/** Formats a text as Markdown code, so that it cannot contain markup or mentions. */
function code(text: string): string {
  return `\`${text.replace(/[`\s\p{Cc}]+/gu, ' ').slice(0, 300)}\``;
}
