import { isoOf } from '@slipway/entity-contract';
import {
  actorOf,
  type Caller,
  NotFoundError,
  type ServiceApp,
} from '@slipway/service-kit';
import { type Static, Type } from 'typebox';
import type { FeedbackAccess } from '../access.ts';
import type { IssueWatcher } from '../automation/IssueWatcher.ts';
import type { IssueStore } from '../storage/IssueStore.ts';
import {
  FEEDBACK_MARKER,
  type Issue,
  ISSUE_STATES,
  type IssueState,
  type IssueView,
  viewOf,
} from './Issue.ts';
import type { IssueOpener } from './IssueOpener.ts';
import { renderIssuePage } from './renderIssuePage.ts';

const State = Type.Unsafe<IssueState>(Type.String({ enum: [...ISSUE_STATES] }));
const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });

const IssueNumber = Type.Object({
  number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

const IssueAnswer = Type.Object({
  number: Type.Integer(),
  title: Type.String({
    description:
      'Quotes the message if the caller is its sender or an admin; otherwise only names the category.',
  }),
  body: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Markdown, for the sender and admins; otherwise null.',
  }),
  state: State,
  created_at: Type.String({ format: 'date-time' }),
  closed_at: TextOrNull,
  closed_by: TextOrNull,
  feedback_id: TextOrNull,
});

const IssueListQuery = Type.Object({
  state: Type.Optional(State),
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
  per_page: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
});

const IssueList = Type.Object({
  issues: Type.Array(IssueAnswer),
  pagination: Type.Object({
    page: Type.Integer(),
    per_page: Type.Integer(),
    total: Type.Integer(),
    total_pages: Type.Integer(),
  }),
});

const IssueCreation = Type.Object({
  marker: Type.String({
    minLength: 1,
    maxLength: 128,
    pattern: `^(?!${FEEDBACK_MARKER})[A-Za-z0-9_.~:/ -]+$`,
    patternDescription: `must consist of letters, digits, spaces and _.~:/- and not start with ${FEEDBACK_MARKER}`,
    description:
      'Identifies the issue: a repeated request returns the same one.',
  }),
  title: Type.String({
    minLength: 1,
    maxLength: 250,
    pattern: '\\S',
    patternDescription: 'must not be blank',
  }),
  body: Type.String({ maxLength: 60_000, description: 'Markdown.' }),
});

const CreatedIssue = Type.Object({
  number: Type.Integer(),
  url: Type.String(),
  title: Type.String(),
});

const IssueUpdate = Type.Object({ state: State });

/** Serves the embedded tracker: its issues as data, and a page for each. */
export function issueRoutes(
  app: ServiceApp,
  options: {
    access: FeedbackAccess;
    issues: IssueStore;
    opener: IssueOpener;
    watcher: IssueWatcher;
    /** The address of the portal's pages. */
    pagesUrl: string;
  },
): void {
  const { access, issues, opener, watcher, pagesUrl } = options;

  /**
   * Creates a function that presents issues to a caller, without messages that the caller may not
   * read.
   */
  async function viewsFor(
    caller: Caller,
  ): Promise<(issue: Issue) => IssueView> {
    const readsTextOf = await access.readsTextOf(caller);
    return issue =>
      viewOf(
        issue,
        !issue.quotesFeedback || readsTextOf(issue.feedback?.author ?? null),
      );
  }

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
    async ({ caller, query }) => {
      const viewOfIssue = await viewsFor(caller);
      const { state, page, per_page } = query;
      const listed = await issues.list({ state, page, size: per_page });
      return {
        issues: listed.issues.map(issue => present(viewOfIssue(issue))),
        pagination: {
          page,
          per_page,
          total: listed.total,
          total_pages: Math.ceil(listed.total / per_page),
        },
      };
    },
  );

  app.post(
    '/api/v1/issues',
    {
      config: { access: access.automate, faults: ['unavailable'] },
      schema: {
        tags: ['issues'],
        summary:
          'Open an issue in the configured tracker, once for each marker',
        body: IssueCreation,
        response: { 200: CreatedIssue, 201: CreatedIssue },
      },
    },
    async ({ body }, reply) => {
      const { issue, isNew } = await opener.open(body);
      reply.code(isNew ? 201 : 200);
      return issue;
    },
  );

  app.get(
    '/api/v1/issues/:number',
    {
      config: { access: access.read },
      schema: {
        tags: ['issues'],
        summary: 'Get an issue',
        params: IssueNumber,
        response: { 200: IssueAnswer },
      },
    },
    async ({ caller, params }) => {
      const issue = found(await issues.find(params.number));
      return present((await viewsFor(caller))(issue));
    },
  );

  app.put(
    '/api/v1/issues/:number',
    {
      config: { access: access.admin },
      schema: {
        tags: ['issues'],
        summary: 'Close or reopen an issue and its feedback',
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
      // If this is interrupted, the next check handles a closed issue; for any issue, the request
      // can be repeated.
      await watcher.follow([issue.number], issue.state);
      return present(viewOf(issue, true));
    },
  );

  app.get(
    '/issues/:number',
    {
      config: { access: access.read },
      schema: {
        tags: ['issues'],
        summary: 'Get the page of an issue, for browsers',
        params: IssueNumber,
        response: { 200: { description: 'HTML' } },
      },
    },
    async ({ caller, params }, reply) => {
      const issue = found(await issues.find(params.number));
      const page = renderIssuePage((await viewsFor(caller))(issue), {
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
    throw new NotFoundError('Issue not found');
  }
  return issue;
}

function present(issue: IssueView): Static<typeof IssueAnswer> {
  return {
    number: issue.number,
    title: issue.title,
    body: issue.body,
    state: issue.state,
    created_at: isoOf(issue.createdAt),
    closed_at: isoOf(issue.closedAt),
    closed_by: issue.closedBy,
    feedback_id: issue.feedbackId,
  };
}
