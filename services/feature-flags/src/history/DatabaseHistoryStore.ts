import type { Database } from '@slipway/service-kit';
import type { HistoryEvent, HistoryStore } from './HistoryEvent.ts';

interface HistoryRow {
  id: number | string;
  type: string;
  subject: string;
  environment: string | null;
  created_by: string;
  created_at: number | string;
  before: string | null;
  after: string | null;
}

/** What was changed, in the service's database. */
export class DatabaseHistoryStore implements HistoryStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(
    options: Parameters<HistoryStore['list']>[0],
  ): Promise<HistoryEvent[]> {
    const { limit, subject, before } = options;
    const query = this.#database
      .knex<HistoryRow>('history')
      .orderBy('id', 'desc')
      .limit(limit);
    if (subject !== undefined) {
      query.where({ subject });
    }
    if (before !== undefined) {
      query.where('id', '<', before);
    }
    return (await query.select()).map(toEvent);
  }
}

function toEvent(row: HistoryRow): HistoryEvent {
  return {
    id: Number(row.id),
    type: row.type,
    subject: row.subject,
    environment: row.environment,
    createdBy: row.created_by,
    createdAt: Number(row.created_at),
    before: row.before === null ? null : JSON.parse(row.before),
    after: row.after === null ? null : JSON.parse(row.after),
  };
}
