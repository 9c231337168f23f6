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
  Reply,
  Statistics,
  Status,
  Submission,
  TriageFilter,
  Voter,
} from '../api/Feedback';
import { statistics } from './statistics';
import type { FeedbackApi } from '../api/FeedbackApi';

/** Creates feedback, with overrides. */
export function feedback(more: Partial<Feedback> = {}): Feedback {
  return {
    id: 'fb_1',
    rating: 2,
    category: 'CI/CD',
    message: 'The build hangs after the upgrade',
    sentiment: 'negative',
    status: 'new',
    createdAt: '2026-11-20T12:00:00.000Z',
    userName: 'Grace',
    userEmail: null,
    isUserVerified: true,
    isRatingGuessed: false,
    priority: 'medium',
    source: 'api',
    page: '/builds',
    component: null,
    replyCount: 0,
    awaitsReply: false,
    votes: 0,
    mergedInto: null,
    updatedAt: '2026-11-20T12:00:00.000Z',
    hasScreenshot: false,
    issue: null,
    history: [],
    replies: [],
    mayReply: true,
    isOwn: false,
    voting: null,
    ...more,
  };
}

/** Creates a reply of ada, an admin, with overrides. */
export function reply(more: Partial<Reply> = {}): Reply {
  return {
    id: 'rp_1',
    message: 'Which version?',
    isInternal: false,
    authorName: 'Ada',
    isFromSender: false,
    createdAt: '2026-11-20T12:30:00.000Z',
    mayDelete: true,
    ...more,
  };
}

/**
 * An in-memory feedback service that records its calls. It filters only by status, replies,
 * component and title.
 */
export class FakeFeedbackApi implements FeedbackApi {
  readonly submissions: Submission[] = [];
  readonly queries: { filter: Partial<TriageFilter>; page: number }[] = [];
  options: FeedbackOptions = {
    categories: ['UI/UX', 'CI/CD', 'Other'],
    mayTriage: true,
  };
  /** True if there is space for screenshots. */
  hasSpace = true;
  records: Feedback[];
  issue: Issue = {
    number: 7,
    title: 'The build hangs',
    body: 'The build hangs after the upgrade',
    state: 'open',
    createdAt: '2026-11-20T12:00:00.000Z',
    closedAt: null,
    closedBy: null,
    feedbackId: 'fb_1',
  };
  /** The components of systems and groups, as named in the records. */
  componentsOf: Record<string, string[]> = {};
  /** The ids of the feedback that the user has voted for. */
  readonly voted = new Set<string>();
  readonly ballotQueries: Partial<BallotFilter & { votesUntil: string }>[] = [];
  voters: Voter[] = [];
  /** If set, every call throws it. */
  failure: Error | undefined;

  constructor(records: Feedback[] = [feedback()]) {
    this.records = records;
  }

  async getOptions(): Promise<FeedbackOptions> {
    return this.#answer(this.options);
  }

  async submit(submission: Submission): Promise<Receipt> {
    this.#answer(undefined);
    this.submissions.push(submission);
    return { id: 'fb_new', isScreenshotStored: this.hasSpace };
  }

  async getMine(query: {
    page: number;
    component?: string;
  }): Promise<PageOf<Feedback>> {
    const found = this.records.filter(({ component }) =>
      this.#isAbout(component, query.component),
    );
    return this.#answer(pageOf(found, query.page));
  }

  async list(
    filter: Partial<TriageFilter>,
    page: number,
  ): Promise<PageOf<FeedbackSummary>> {
    this.queries.push({ filter, page });
    const found = this.records.filter(
      ({ status, component, awaitsReply }) =>
        (!filter.status || status === filter.status) &&
        (!filter.replies || awaitsReply) &&
        this.#isAbout(component, filter.component),
    );
    return this.#answer(pageOf(found, page));
  }

  #isAbout(component: string | null, wanted = ''): boolean {
    const names = this.componentsOf[wanted] ?? [wanted];
    return wanted === '' || names.includes(component ?? '');
  }

  async get(id: string): Promise<Feedback> {
    const found = this.records.find(record => record.id === id);
    if (!found) {
      throw new Error(`There is no ${id}`);
    }
    return this.#answer(found);
  }

  async getScreenshot(): Promise<string> {
    return this.#answer('data:image/png;base64,AAAA');
  }

  async changeStatus(
    id: string,
    change: { status: Status; notes: string },
  ): Promise<void> {
    this.#answer(undefined);
    this.records = this.records.map(record =>
      record.id === id
        ? {
            ...record,
            status: change.status,
            history: [
              ...(record.history ?? []),
              {
                at: '2026-11-20T13:00:00.000Z',
                actor: 'user:default/ada',
                from: record.status,
                to: change.status,
                notes: change.notes,
              },
            ],
          }
        : record,
    );
  }

  async addReply(
    id: string,
    draft: Parameters<FeedbackApi['addReply']>[1],
  ): Promise<void> {
    this.#answer(undefined);
    this.#changeReplies(id, replies => [
      ...replies,
      reply({ ...draft, id: `rp_new_${replies.length}` }),
    ]);
  }

  async deleteReply(id: string, replyId: string): Promise<void> {
    this.#answer(undefined);
    this.#changeReplies(id, replies =>
      replies.filter(each => each.id !== replyId),
    );
  }

  #changeReplies(id: string, change: (replies: Reply[]) => Reply[]): void {
    this.#change(id, ({ replies }) => ({ replies: change(replies) }));
  }

  async delete(id: string): Promise<void> {
    this.#answer(undefined);
    this.records = this.records.filter(record => record.id !== id);
  }

  async listBallots(
    filter: Partial<BallotFilter & { votesUntil: string }>,
    page: { number: number },
  ): Promise<PageOf<Ballot> & { votesUntil: string }> {
    this.ballotQueries.push(filter);
    const { q = '', voted } = filter;
    const found = this.records
      .flatMap(record => this.#ballotOf(record))
      .filter(ballot => (voted ? ballot.hasVoted : ballot.isOpen))
      .filter(({ title }) => title.toLowerCase().includes(q.toLowerCase()));
    return {
      ...this.#answer(pageOf(found, page.number)),
      votesUntil: filter.votesUntil ?? '2026-11-20T14:00:00.000Z',
    };
  }

  async getBallot(id: string): Promise<Ballot> {
    const [ballot] = this.#ballotOf(await this.get(id));
    const target = this.records.find(each => each.id === ballot.mergedInto);
    return { ...ballot, mergedTitle: target?.voting?.title };
  }

  #ballotOf(record: Feedback): Ballot[] {
    const { voting, createdAt: openedAt } = record;
    const hasVoted = this.voted.has(record.id);
    return voting ? [{ ...record, ...voting, hasVoted, openedAt }] : [];
  }

  async setVote(id: string, hasVoted: boolean): Promise<void> {
    this.#answer(undefined);
    if (this.voted.has(id) !== hasVoted) {
      this.#change(id, ({ votes }) => ({ votes: votes + (hasVoted ? 1 : -1) }));
    }
    this.voted[hasVoted ? 'add' : 'delete'](id);
  }

  async openVoting(id: string, title: string): Promise<void> {
    this.#answer(undefined);
    this.#change(id, ({ voting }) => ({
      voting: { ...voting, title, isOpen: true },
    }));
  }

  async setPublicNote(
    id: string,
    { text, seen }: { text: string; seen: string },
  ): Promise<void> {
    const { voting: before } = await this.get(id);
    if ((before?.note?.text ?? '') !== seen) {
      throw new Error('The public note has been changed in the meantime');
    }
    this.#change(id, ({ voting, createdAt: writtenAt }) => ({
      voting: voting && {
        ...voting,
        note: text ? { text, writtenAt } : undefined,
      },
    }));
  }

  async closeVoting(id: string): Promise<void> {
    this.#answer(undefined);
    this.#change(id, ({ voting }) => ({
      voting: voting && { ...voting, isOpen: false },
    }));
  }

  async getVoters(_: string, page: number): Promise<PageOf<Voter>> {
    return this.#answer(pageOf(this.voters, page));
  }

  async merge(id: string, { into }: { into: string }): Promise<void> {
    this.#answer(undefined);
    this.#change(id, () => ({ mergedInto: into, status: 'archived' }));
  }

  async undoMerge(id: string): Promise<void> {
    this.#answer(undefined);
    this.#change(id, () => ({ mergedInto: null, status: 'new' }));
  }

  #change(id: string, change: (record: Feedback) => Partial<Feedback>): void {
    this.records = this.records.map(record =>
      record.id === id ? { ...record, ...change(record) } : record,
    );
  }

  async getStatistics(): Promise<Statistics> {
    return this.#answer(statistics);
  }

  async runAutomation(): Promise<AutomationResult> {
    return this.#answer({
      processed: 2,
      created: [{ feedbackId: 'fb_1', issueNumber: 7 }],
      errors: [{ feedbackId: 'fb_2', message: 'GitHub answered 422' }],
    });
  }

  async getIssue(): Promise<Issue> {
    return this.#answer(this.issue);
  }

  async changeIssue(_: number, state: Issue['state']): Promise<Issue> {
    this.issue = { ...this.#answer(this.issue), state };
    return this.issue;
  }

  #answer<T>(value: T): T {
    if (this.failure) {
      throw this.failure;
    }
    return value;
  }
}

function pageOf<T>(items: T[], page: number): PageOf<T> {
  const perPage = 25;
  return {
    items: items.slice((page - 1) * perPage, page * perPage),
    page,
    perPage,
    total: items.length,
  };
}
