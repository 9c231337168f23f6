import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import { type CallOptions, ServiceClient } from '@slipway/app-react';
import type {
  AutomationResult,
  Ballot,
  BallotFilter,
  Feedback,
  FeedbackOptions,
  FeedbackSummary,
  Issue,
  PageOf,
  Receipt,
  ReplyDraft,
  Statistics,
  StatusMove,
  Submission,
  TriageFilter,
  VotedPage,
  Voter,
} from './Feedback';
import {
  type BallotAnswer,
  type FeedbackAnswer,
  type IssueAnswer,
  type PageAnswer,
  readAsDataUrl,
  readBallot,
  readersDays,
  readFeedback,
  readIssue,
  readPage,
  readStatistics,
  readSummary,
  type StatisticsAnswer,
  type SummaryAnswer,
} from './answers';
import type { FeedbackApi } from './FeedbackApi';

/** Rows per page of a list. */
const PER_PAGE = '25';

/**
 * Implements {@link FeedbackApi} over HTTP, through the portal's proxy and with the user's session.
 */
export class FeedbackClient implements FeedbackApi {
  readonly #service: ServiceClient;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    this.#service = new ServiceClient({ ...options, path: '/feedback/api/v1' });
  }

  async getOptions(options?: CallOptions): Promise<FeedbackOptions> {
    const answer = await this.#service.json<{
      categories: string[];
      may_triage: boolean;
      screenshots?: { bytes: number; quota_bytes: number };
    }>('/feedback/options', options);
    const { categories, may_triage: mayTriage, screenshots } = answer;
    return {
      categories,
      mayTriage,
      ...(screenshots && {
        screenshots: {
          used: screenshots.bytes,
          quota: screenshots.quota_bytes,
        },
      }),
    };
  }

  async submit(submission: Submission): Promise<Receipt> {
    const { page, isAnonymous, ...rest } = submission;
    const { id, screenshot_stored: isScreenshotStored = true } =
      await this.#service.json<{ id: string; screenshot_stored?: boolean }>(
        '/feedback',
        {
          method: 'POST',
          body: {
            ...rest,
            context: { page },
            user: { anonymous: isAnonymous },
          },
        },
      );
    return { id, isScreenshotStored };
  }

  async getMine(
    { page, component }: { page: number; component?: string },
    options?: CallOptions,
  ): Promise<PageOf<Feedback>> {
    const answer = await this.#service.json<PageAnswer<FeedbackAnswer>>(
      '/feedback/mine',
      {
        ...options,
        query: { component, page: String(page), per_page: PER_PAGE },
      },
    );
    return readPage(answer, readFeedback);
  }

  async list(
    filter: Partial<TriageFilter> & { votesUntil?: string },
    page: number,
    options?: CallOptions,
  ): Promise<VotedPage<FeedbackSummary>> {
    const { startDate, endDate, replies, voting, votesUntil, ...rest } = filter;
    const answer = await this.#service.json<PageAnswer<SummaryAnswer>>(
      '/feedback',
      {
        ...options,
        query: {
          ...rest,
          ...(replies === 'awaited' && { awaits_reply: 'true' }),
          ...(voting === 'open' && { open_for_voting: 'true' }),
          votes_until: votesUntil,
          ...(startDate && endDate && readersDays({ startDate, endDate })),
          page: String(page),
          per_page: PER_PAGE,
        },
      },
    );
    return readPage(answer, readSummary);
  }

  async get(id: string, options?: CallOptions): Promise<Feedback> {
    return readFeedback(
      await this.#service.json(`/feedback/${enc(id)}`, options),
    );
  }

  async getScreenshot(id: string, options?: CallOptions): Promise<string> {
    const response = await this.#service.send(
      `/feedback/${enc(id)}/screenshot`,
      options,
    );
    return readAsDataUrl(await response.blob());
  }

  async changeStatus(id: string, change: StatusMove): Promise<void> {
    const { replyCount, ...body } = change;
    await this.#service.send(`/feedback/${enc(id)}/status`, {
      method: 'PUT',
      body: { ...body, reply_count: replyCount },
    });
  }

  async addReply(
    id: string,
    reply: ReplyDraft & { idempotencyKey: string },
  ): Promise<void> {
    await this.#service.send(`/feedback/${enc(id)}/replies`, {
      method: 'POST',
      body: {
        message: reply.message,
        internal: reply.isInternal,
        idempotency_key: reply.idempotencyKey,
      },
    });
  }

  async deleteReply(id: string, replyId: string): Promise<void> {
    await this.#service.send(`/feedback/${enc(id)}/replies/${enc(replyId)}`, {
      method: 'DELETE',
    });
  }

  async delete(id: string): Promise<void> {
    await this.#service.send(`/feedback/${enc(id)}`, { method: 'DELETE' });
  }

  async listBallots(
    filter: Partial<BallotFilter> & { votesUntil?: string },
    page: { number: number; size?: number },
    options?: CallOptions,
  ): Promise<VotedPage<Ballot>> {
    const { votesUntil, ...rest } = filter;
    const answer = await this.#service.json<PageAnswer<BallotAnswer>>(
      '/feedback/voting',
      {
        ...options,
        query: {
          ...rest,
          votes_until: votesUntil,
          page: String(page.number),
          per_page: String(page.size ?? PER_PAGE),
        },
      },
    );
    return readPage(answer, readBallot);
  }

  async getBallot(id: string, options?: CallOptions): Promise<Ballot> {
    return readBallot(
      await this.#service.json(`/feedback/${enc(id)}/voting`, options),
    );
  }

  async setVote(id: string, hasVoted: boolean): Promise<void> {
    await this.#service.send(`/feedback/${enc(id)}/vote`, {
      method: hasVoted ? 'PUT' : 'DELETE',
    });
  }

  async openVoting(id: string, title: string): Promise<void> {
    await this.#service.send(`/feedback/${enc(id)}/voting`, {
      method: 'PUT',
      body: { title },
    });
  }

  async setPublicNote(
    id: string,
    note: { text: string; seen: string },
  ): Promise<void> {
    await this.#service.send(`/feedback/${enc(id)}/voting`, {
      method: 'PUT',
      body: { public_note: note.text, seen_note: note.seen },
    });
  }

  async closeVoting(id: string): Promise<void> {
    await this.#service.send(`/feedback/${enc(id)}/voting`, {
      method: 'DELETE',
    });
  }

  async getVoters(
    id: string,
    page: number,
    options?: CallOptions,
  ): Promise<PageOf<Voter>> {
    const { votes, pagination } = await this.#service.json<{
      votes: { user: string; voted_at: string }[];
      pagination: PageAnswer<unknown>['pagination'];
    }>(`/feedback/${enc(id)}/votes`, {
      ...options,
      query: { page: String(page), per_page: PER_PAGE },
    });
    return readPage(
      { feedback: votes, pagination },
      ({ user, voted_at: votedAt }) => ({ user, votedAt }),
    );
  }

  async merge(
    id: string,
    { into, replyCount }: { into: string; replyCount: number },
  ): Promise<void> {
    await this.#service.send(`/feedback/${enc(id)}/merge`, {
      method: 'POST',
      body: { into, reply_count: replyCount },
    });
  }

  async undoMerge(id: string): Promise<void> {
    await this.#service.send(`/feedback/${enc(id)}/merge`, {
      method: 'DELETE',
    });
  }

  async getStatistics(
    period: { startDate: string; endDate: string },
    options?: CallOptions,
  ): Promise<Statistics> {
    const answer = await this.#service.json<StatisticsAnswer>(
      '/feedback/stats',
      {
        ...options,
        query: readersDays(period),
      },
    );
    return readStatistics(answer);
  }

  async runAutomation(only?: string): Promise<AutomationResult> {
    const answer = await this.#service.json<{
      processed: number;
      tracker_issues_created: { feedback_id: string; issue_number: number }[];
      errors: { feedback_id: string; message: string }[];
    }>('/automation/process-validated', {
      method: 'POST',
      body: {},
      query: { feedback_id: only },
    });
    return {
      processed: answer.processed,
      created: answer.tracker_issues_created.map(made => ({
        feedbackId: made.feedback_id,
        issueNumber: made.issue_number,
      })),
      errors: answer.errors.map(({ feedback_id, message }) => ({
        feedbackId: feedback_id,
        message,
      })),
    };
  }

  async getIssue(number: string, options?: CallOptions): Promise<Issue> {
    return readIssue(
      await this.#service.json<IssueAnswer>(`/issues/${enc(number)}`, options),
    );
  }

  async changeIssue(number: number, state: Issue['state']): Promise<Issue> {
    return readIssue(
      await this.#service.json<IssueAnswer>(`/issues/${number}`, {
        method: 'PUT',
        body: { state },
      }),
    );
  }
}

function enc(part: string): string {
  return encodeURIComponent(part);
}
