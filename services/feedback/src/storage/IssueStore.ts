import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import {
  FEEDBACK_MARKER,
  feedbackIdIn,
  type Issue,
  type IssueState,
  RecordDeletedError,
} from '../issues/Issue.ts';

interface IssueRow {
  number: number;
  marker: string;
  title: string;
  body: string;
  state: IssueState;
  created_at: number | string;
  closed_at: number | string | null;
  closed_by: string | null;
  feedback_id: string | null;
  feedback_category: string | null;
  feedback_author: string | null;
}

/** Stores the issues of the embedded tracker in the service's database. */
export class IssueStore {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(options: { database: Database; now: () => number }) {
    this.#database = options.database;
    this.#now = options.now;
  }

  /**
   * Returns the issue with the marker of a draft, after creating it if it does not exist.
   *
   * @throws RecordDeletedError if the feedback that it is for has been deleted.
   */
  async ensure(draft: { marker: string; title: string; body: string }) {
    return this.#database.transaction(async trx => {
      await this.#assertRecordExists(trx, draft.marker);
      const known = await byMarker(trx, draft.marker);
      if (known) {
        return known;
      }
      await trx('issues')
        .insert({ ...draft, state: 'open', created_at: this.#now() })
        .onConflict('marker')
        .ignore();
      return (await byMarker(trx, draft.marker))!;
    });
  }

  async #assertRecordExists(
    trx: Knex.Transaction,
    marker: string,
  ): Promise<void> {
    const id = feedbackIdIn(marker);
    if (id === undefined) {
      return;
    }
    const found = trx('feedback').where({ id });
    if (this.#database.client === 'postgres') {
      // Locked, so that a concurrent deletion waits and then deletes the issue too.
      found.forUpdate();
    }
    if (!(await found.first('id'))) {
      throw new RecordDeletedError('The feedback has been deleted');
    }
  }

  async findByMarker(marker: string) {
    return byMarker(this.#database.knex, marker);
  }

  async find(number: number): Promise<Issue | undefined> {
    const row = await this.#issues(this.#database.knex)
      .where('issues.number', number)
      .first();
    return row && fromRow(row);
  }

  /** Lists issues, newest first. */
  async list(options: { state?: IssueState; page: number; size: number }) {
    const { state, page, size } = options;
    const { knex } = this.#database;
    const ofState = (query: Knex.QueryBuilder) =>
      state ? query.where('issues.state', state) : query;
    const [rows, counted] = await Promise.all([
      this.#issues(knex)
        .modify(ofState)
        .orderBy('issues.number', 'desc')
        .limit(size)
        .offset((page - 1) * size) as Promise<IssueRow[]>,
      knex('issues').modify(ofState).count({ total: '*' }).first(),
    ]);
    return { issues: rows.map(fromRow), total: Number(counted?.total ?? 0) };
  }

  /**
   * Changes the state of an issue.
   *
   * @returns undefined if there is no such issue.
   */
  async changeState(
    number: number,
    change: { state: IssueState; by: string },
  ): Promise<Issue | undefined> {
    const { state, by } = change;
    return this.#database.transaction(async trx => {
      await trx('issues')
        .where({ number })
        .whereNot({ state })
        .update({
          state,
          closed_at: state === 'closed' ? this.#now() : null,
          closed_by: state === 'closed' ? by : null,
        });
      const row = await this.#issues(trx)
        .where('issues.number', number)
        .first();
      return row && fromRow(row);
    });
  }

  async closedSince(since: number): Promise<number[]> {
    return this.#database
      .knex('issues')
      .where({ state: 'closed' })
      .where('closed_at', '>=', since)
      .pluck('number');
  }

  #issues(knex: Knex): Knex.QueryBuilder<IssueRow> {
    return knex('issues')
      .leftJoin('feedback', join =>
        join
          .on('feedback.issue_number', 'issues.number')
          .andOnVal('feedback.issue_tracker', 'embedded'),
      )
      .select('issues.*', {
        feedback_id: 'feedback.id',
        feedback_category: 'feedback.category',
        feedback_author: 'feedback.author',
      });
  }
}

function byMarker(
  knex: Knex,
  marker: string,
): Promise<Pick<Issue, 'number' | 'title'> | undefined> {
  return knex('issues').where({ marker }).first('number', 'title');
}

function fromRow(row: IssueRow): Issue {
  return {
    number: row.number,
    quotesFeedback: row.marker.startsWith(FEEDBACK_MARKER),
    title: row.title,
    body: row.body,
    state: row.state,
    createdAt: Number(row.created_at),
    closedAt: row.closed_at === null ? null : Number(row.closed_at),
    closedBy: row.closed_by,
    feedback:
      row.feedback_id === null
        ? null
        : {
            id: row.feedback_id,
            category: row.feedback_category ?? '',
            author: row.feedback_author,
          },
  };
}
