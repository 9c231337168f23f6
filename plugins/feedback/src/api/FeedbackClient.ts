import { ResponseError } from '@backstage/errors';
import type { DiscoveryApi, FetchApi } from '@backstage/frontend-plugin-api';
import type { CallOptions, FeedbackApi } from './FeedbackApi';
import { readAsDataUrl } from './readAsDataUrl';
import {
  type FeedbackAnswer,
  type IssueAnswer,
  type PageAnswer,
  readFeedback,
  readIssue,
  readPage,
  readStatistics,
  readSummary,
  type StatisticsAnswer,
  type SummaryAnswer,
} from './readAnswers';
import { readersDays } from './readersDays';
import type {
  AutomationResult,
  Feedback,
  FeedbackOptions,
  FeedbackSummary,
  Issue,
  PageOf,
  Statistics,
  Status,
  Submission,
  TriageFilter,
} from './types';

/** Rows of a page of a list. */
const PER_PAGE = '25';

interface Call extends CallOptions {
  method?: 'GET' | 'POST' | 'PUT';
  query?: Record<string, string>;
  body?: object;
}

/** {@link FeedbackApi} over HTTP: through the portal's proxy, with its session. */
export class FeedbackClient implements FeedbackApi {
  readonly #discoveryApi: DiscoveryApi;
  readonly #fetchApi: FetchApi;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    this.#discoveryApi = options.discoveryApi;
    this.#fetchApi = options.fetchApi;
  }

  async getOptions(options?: CallOptions): Promise<FeedbackOptions> {
    const answer = await this.#json<{
      categories: string[];
      may_triage: boolean;
    }>('/feedback/options', options);
    return { categories: answer.categories, mayTriage: answer.may_triage };
  }

  async submit(submission: Submission): Promise<string> {
    const { page, isAnonymous, ...rest } = submission;
    const { id } = await this.#json<{ id: string }>('/feedback', {
      method: 'POST',
      body: { ...rest, context: { page }, user: { anonymous: isAnonymous } },
    });
    return id;
  }

  async getMine(
    page: number,
    options?: CallOptions,
  ): Promise<PageOf<Feedback>> {
    const answer = await this.#json<PageAnswer<FeedbackAnswer>>(
      '/feedback/mine',
      { ...options, query: { page: String(page), per_page: PER_PAGE } },
    );
    return readPage(answer, readFeedback);
  }

  async list(
    filter: TriageFilter,
    page: number,
    options?: CallOptions,
  ): Promise<PageOf<FeedbackSummary>> {
    const { startDate, endDate, ...rest } = filter;
    const answer = await this.#json<PageAnswer<SummaryAnswer>>('/feedback', {
      ...options,
      query: {
        ...rest,
        ...readersDays({ startDate, endDate }),
        page: String(page),
        per_page: PER_PAGE,
      },
    });
    return readPage(answer, readSummary);
  }

  async get(id: string, options?: CallOptions): Promise<Feedback> {
    return readFeedback(await this.#json(`/feedback/${enc(id)}`, options));
  }

  async getScreenshot(id: string, options?: CallOptions): Promise<string> {
    const response = await this.#call(
      `/feedback/${enc(id)}/screenshot`,
      options,
    );
    return readAsDataUrl(await response.blob());
  }

  async changeStatus(
    id: string,
    change: { status: Status; notes: string },
  ): Promise<void> {
    await this.#call(`/feedback/${enc(id)}/status`, {
      method: 'PUT',
      body: change,
    });
  }

  async getStatistics(
    period: { startDate: string; endDate: string },
    options?: CallOptions,
  ): Promise<Statistics> {
    const answer = await this.#json<StatisticsAnswer>('/feedback/stats', {
      ...options,
      query: readersDays(period),
    });
    return readStatistics(answer);
  }

  async runAutomation(): Promise<AutomationResult> {
    const answer = await this.#json<{
      processed: number;
      tracker_issues_created: { feedback_id: string; issue_number: number }[];
      errors: { feedback_id: string; message: string }[];
    }>('/automation/process-validated', { method: 'POST', body: {} });
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
      await this.#json<IssueAnswer>(`/issues/${enc(number)}`, options),
    );
  }

  async changeIssue(number: number, state: Issue['state']): Promise<Issue> {
    return readIssue(
      await this.#json<IssueAnswer>(`/issues/${number}`, {
        method: 'PUT',
        body: { state },
      }),
    );
  }

  async #json<T>(path: string, call?: Call): Promise<T> {
    return (await this.#call(path, call)).json();
  }

  async #call(path: string, call: Call = {}): Promise<Response> {
    const { method, query = {}, body, signal } = call;
    const proxy = await this.#discoveryApi.getBaseUrl('proxy');
    const url = new URL(`${proxy}/feedback/api/v1${path}`);
    for (const [key, value] of Object.entries(query)) {
      if (value) {
        url.searchParams.set(key, value);
      }
    }
    const response = await this.#fetchApi.fetch(url, {
      method,
      signal,
      ...(body && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    if (!response.ok) {
      throw await ResponseError.fromResponse(response);
    }
    return response;
  }
}

function enc(part: string): string {
  return encodeURIComponent(part);
}
