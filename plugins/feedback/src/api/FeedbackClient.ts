import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import { type CallOptions, ServiceClient } from '@slipway/app-react';
import type {
  AutomationResult,
  Feedback,
  FeedbackApi,
  FeedbackOptions,
  FeedbackSummary,
  Issue,
  PageOf,
  ReplyDraft,
  Statistics,
  Status,
  Submission,
  TriageFilter,
} from './FeedbackApi';
import {
  type FeedbackAnswer,
  type IssueAnswer,
  type PageAnswer,
  readAsDataUrl,
  readersDays,
  readFeedback,
  readIssue,
  readPage,
  readStatistics,
  readSummary,
  type StatisticsAnswer,
  type SummaryAnswer,
} from './answers';

/** Rows per page of a list. */
const PER_PAGE = '25';

/** {@link FeedbackApi} over HTTP: through the portal's proxy, with its session. */
export class FeedbackClient implements FeedbackApi {
  readonly #service: ServiceClient;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    this.#service = new ServiceClient({ ...options, path: '/feedback/api/v1' });
  }

  async getOptions(options?: CallOptions): Promise<FeedbackOptions> {
    const answer = await this.#service.json<{
      categories: string[];
      may_triage: boolean;
    }>('/feedback/options', options);
    return { categories: answer.categories, mayTriage: answer.may_triage };
  }

  async submit(submission: Submission): Promise<string> {
    const { page, isAnonymous, ...rest } = submission;
    const { id } = await this.#service.json<{ id: string }>('/feedback', {
      method: 'POST',
      body: { ...rest, context: { page }, user: { anonymous: isAnonymous } },
    });
    return id;
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
    filter: Partial<TriageFilter>,
    page: number,
    options?: CallOptions,
  ): Promise<PageOf<FeedbackSummary>> {
    const { startDate, endDate, replies, ...rest } = filter;
    const answer = await this.#service.json<PageAnswer<SummaryAnswer>>(
      '/feedback',
      {
        ...options,
        query: {
          ...rest,
          ...(replies === 'awaited' && { awaits_reply: 'true' }),
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

  async changeStatus(
    id: string,
    change: { status: Status; notes: string },
  ): Promise<void> {
    await this.#service.send(`/feedback/${enc(id)}/status`, {
      method: 'PUT',
      body: change,
    });
  }

  async addReply(id: string, reply: ReplyDraft): Promise<void> {
    await this.#service.send(`/feedback/${enc(id)}/replies`, {
      method: 'POST',
      body: { message: reply.message, internal: reply.isInternal },
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
