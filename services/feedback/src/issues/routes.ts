import { actorOf, NotFoundError, type ServiceApp } from '@slipway/service-kit';
import type { Static } from 'typebox';
import type { FeedbackAccess } from '../access.ts';
import type { IssueWatcher } from '../automation/IssueWatcher.ts';
import { iso } from '../feedback/presentFeedback.ts';
import type { Issue } from './Issue.ts';
import type { IssueStore } from './IssueStore.ts';
import { renderIssuePage } from './renderIssuePage.ts';
import {
  IssueAnswer,
  IssueList,
  IssueListQuery,
  IssueNumber,
  IssueUpdate,
} from './schemas.ts';

/** The embedded tracker: its issues as data, and a page of each for people. */
export function issueRoutes(
  app: ServiceApp,
  options: {
    access: FeedbackAccess;
    issues: IssueStore;
    watcher: IssueWatcher;
    /** Of the portal. */
    pagesUrl: string;
  },
): void {
  const { access, issues, watcher, pagesUrl } = options;

  app.get(
    '/api/v1/issues',
    {
      config: { access: access.read },
      schema: {
        tags: ['issues'],
        summary: 'List issues of the embedded tracker, newest first',
        querystring: IssueListQuery,
        response: { 200: IssueList },
      },
    },
    async ({ query }) => {
      const { state, page, per_page } = query;
      const listed = await issues.list({ state, page, size: per_page });
      return {
        issues: listed.issues.map(present),
        pagination: {
          page,
          per_page,
          total: listed.total,
          total_pages: Math.ceil(listed.total / per_page),
        },
      };
    },
  );

  app.get(
    '/api/v1/issues/:number',
    {
      config: { access: access.read },
      schema: {
        tags: ['issues'],
        summary: 'Read an issue',
        params: IssueNumber,
        response: { 200: IssueAnswer },
      },
    },
    async ({ params }) => present(found(await issues.find(params.number))),
  );

  app.put(
    '/api/v1/issues/:number',
    {
      config: { access: access.admin },
      schema: {
        tags: ['issues'],
        summary: 'Close or reopen an issue; its feedback follows',
        params: IssueNumber,
        body: IssueUpdate,
        response: { 200: IssueAnswer },
      },
    },
    async ({ body, caller, params }) => {
      const issue = found(
        await issues.changeState(params.number, {
          state: body.state,
          by: actorOf(caller),
        }),
      );
      // Cut off here, a closed one is followed at the next look, any when asked again.
      await watcher.follow([issue.number], issue.state);
      return present(issue);
    },
  );

  app.get(
    '/issues/:number',
    {
      config: { access: access.read },
      schema: {
        tags: ['issues'],
        summary: 'The page of an issue, for browsers',
        params: IssueNumber,
        response: { 200: { description: 'HTML' } },
      },
    },
    async ({ params }, reply) => {
      const page = renderIssuePage(found(await issues.find(params.number)), {
        portalUrl: `${pagesUrl}/feedback/issues/${params.number}`,
      });
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', page.contentSecurityPolicy)
        .send(page.html);
    },
  );
}

function found(issue: Issue | undefined): Issue {
  if (!issue) {
    throw new NotFoundError('There is no such issue');
  }
  return issue;
}

function present(issue: Issue): Static<typeof IssueAnswer> {
  return {
    number: issue.number,
    title: issue.title,
    body: issue.body,
    state: issue.state,
    created_at: iso(issue.createdAt),
    closed_at: issue.closedAt === null ? null : iso(issue.closedAt),
    closed_by: issue.closedBy,
    feedback_id: issue.feedbackId,
  };
}
