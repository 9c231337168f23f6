import {
  CHAT_TITLES,
  chatPayload,
  type Transaction,
} from '@slipway/service-kit';
import { type Build, pageOf } from '../builds/Build.ts';
import type { ForgeOptions, Kit } from '../config.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import { resultBefore } from '../storage/JobHistory.ts';
import { credentialsOf, repositoryApi, repositoryAt } from './forgeApi.ts';
import { failuresOf, newsOf, sentenceOf, type TellBuild } from './news.ts';

/** A comment for a pull request, as stored until it is sent. */
interface Comment {
  url: string;
  body: string;
}

/**
 * Notifies chats when a job breaks or is fixed, and comments failed tests on pull requests. Text
 * from builds may contain chat or forge markup, which could mention or impersonate people: all
 * markup is removed or escaped. The message goes only to the chat or forge, not to other webhooks.
 *
 * @returns a function to call in the transaction that ends a build.
 */
export function tellPeople(
  kit: Pick<Kit, 'config' | 'outbox' | 'portal'>,
  { jobs }: { jobs: JobCatalog },
): TellBuild {
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

  async function comment(trx: Transaction, build: Build): Promise<void> {
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
          body: commentOn(build, portal.appUrl + pageOf(build)),
        };
        await outbox.enqueue(trx, {
          name: `build.comment.${name}`,
          payload,
          to: [`comments-${name}`],
        });
      }
    }
  }

  return async (trx, build) => {
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
    const page = portal.appUrl + pageOf(build);
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
      await comment(trx, build);
    }
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
  const api = repositoryApi(forge, repository);
  switch (forge.kind) {
    case 'gitlab':
      return `${api}/merge_requests/${number}/notes`;
    case 'bitbucket-cloud':
      return `${api}/pullrequests/${number}/comments`;
    case 'bitbucket-server':
      return `${api}/pull-requests/${number}/comments`;
    default:
      return `${api}/issues/${number}/comments`;
  }
}

function commentOn(
  { job, number, reason, tests }: Build,
  page: string,
): string {
  const what = code(reason ?? 'it failed');
  const failures = failuresOf(tests, code);
  return [
    `Build [${job} #${number}](${page}) failed: ${what}`,
    ...(failures.length > 0 ? ['', ...failures] : []),
  ].join('\n');
}

/** Formats a text as Markdown code, so that it cannot contain markup or mentions. */
function code(text: string): string {
  return `\`${text.replace(/[`\s\p{Cc}]+/gu, ' ').slice(0, 300)}\``;
}
