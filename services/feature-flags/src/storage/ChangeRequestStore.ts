import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type {
  ChangeRequest,
  ChangeRequestState,
} from '../model/ChangeRequest.ts';
import { writeHistory } from './History.ts';
import { lockRevision, raiseRevision } from './revisions.ts';

/** PostgreSQL returns bigints as text. */
interface Row {
  id: number;
  flag_name: string;
  environment: string;
  state: ChangeRequestState;
  change: string;
  created_by: string;
  authors: string;
  reviews: string;
  created_at: number | string;
  updated_at: number | string;
  scheduled_at: number | string | null;
  ended_by: string | null;
}

/** A change request without its id. */
export type NewChangeRequest = Omit<ChangeRequest, 'id'>;

/** An event of a change request, and who caused it. */
export interface ChangeRequestEvent {
  /** `created`, `updated`, `approved`, `scheduled`, `applied`, `rejected`, `cancelled` or `commented`. */
  readonly what: string;
  readonly by: string;
}

/** A filter of change requests. */
export interface ChangeRequestQuery {
  readonly flag?: string;
  readonly environment?: string;
  readonly states?: readonly ChangeRequestState[];
  readonly limit: number;
  /** Only requests older than the one with this id: the next page. */
  readonly before?: number;
}

/** One transaction over change requests, isolated from other writers. */
export interface ChangeRequestTransaction {
  find(id: number): Promise<ChangeRequest | undefined>;
  list(query: ChangeRequestQuery): Promise<ChangeRequest[]>;
  insert(
    request: NewChangeRequest,
    event: ChangeRequestEvent,
  ): Promise<ChangeRequest>;
  update(
    request: ChangeRequest,
    event: ChangeRequestEvent,
  ): Promise<ChangeRequest>;
}

interface ChangeRequestStoreOptions {
  database: Database;
  /** Called in the transaction of each event, e.g. to schedule the request and to report it. */
  onEvent: (
    trx: Knex.Transaction,
    request: ChangeRequest,
    event: ChangeRequestEvent,
  ) => Promise<void>;
}

/** Stores change requests in the service's database, and their events in the history of their flags. */
export class ChangeRequestStore {
  readonly #database: Database;
  readonly #onEvent: ChangeRequestStoreOptions['onEvent'];

  constructor(options: ChangeRequestStoreOptions) {
    this.#database = options.database;
    this.#onEvent = options.onEvent;
  }

  find(id: number): Promise<ChangeRequest | undefined> {
    return findRequest(this.#database.knex, id);
  }

  /** Lists change requests, newest first. */
  list(query: ChangeRequestQuery): Promise<ChangeRequest[]> {
    return listRequests(this.#database.knex, query);
  }

  transaction<T>(
    work: (trx: ChangeRequestTransaction) => Promise<T>,
  ): Promise<T> {
    const { client } = this.#database;
    return this.#database.transaction(async trx => {
      await lockRevision(trx, { subject: 'flags', client });
      return work({
        find: id => findRequest(trx, id),
        list: query => listRequests(trx, query),
        insert: async (request, event) => {
          const [row] = await trx<Row>('change_requests')
            .insert(toRow(request))
            .returning('*');
          const created = toRequest(row);
          await this.#tell(trx, created, event);
          return created;
        },
        update: async (request, event) => {
          await trx('change_requests')
            .where({ id: request.id })
            .update(toRow(request));
          await this.#tell(trx, request, event);
          return request;
        },
      });
    });
  }

  async #tell(
    trx: Knex.Transaction,
    request: ChangeRequest,
    event: ChangeRequestEvent,
  ): Promise<void> {
    const { what, by } = event;
    await this.#onEvent(trx, request, event);
    // Pages that follow flags refetch change requests too.
    await raiseRevision(trx, 'flags');
    await writeHistory(trx, {
      type: `change-request-${what}`,
      subject: request.flag,
      environment: request.environment,
      createdBy: by,
      createdAt: request.updatedAt,
      after: { changeRequest: request.id, state: request.state },
    });
  }
}

async function findRequest(
  knex: Knex,
  id: number,
): Promise<ChangeRequest | undefined> {
  const row = await knex<Row>('change_requests').where({ id }).first();
  return row && toRequest(row);
}

async function listRequests(
  knex: Knex,
  { flag, environment, states, limit, before }: ChangeRequestQuery,
): Promise<ChangeRequest[]> {
  const query = knex<Row>('change_requests').orderBy('id', 'desc').limit(limit);
  if (flag !== undefined) {
    query.where({ flag_name: flag });
  }
  if (environment !== undefined) {
    query.where({ environment });
  }
  if (states) {
    query.whereIn('state', [...states]);
  }
  if (before !== undefined) {
    query.where('id', '<', before);
  }
  return (await query).map(toRequest);
}

function toRow(request: NewChangeRequest) {
  return {
    flag_name: request.flag,
    environment: request.environment,
    state: request.state,
    change: JSON.stringify(request.change),
    created_by: request.createdBy,
    authors: JSON.stringify(request.authors),
    reviews: JSON.stringify(request.reviews),
    created_at: request.createdAt,
    updated_at: request.updatedAt,
    scheduled_at: request.scheduledAt,
    ended_by: request.endedBy,
  };
}

function toRequest(row: Row): ChangeRequest {
  return {
    id: row.id,
    flag: row.flag_name,
    environment: row.environment,
    state: row.state,
    change: JSON.parse(row.change),
    createdBy: row.created_by,
    authors: JSON.parse(row.authors),
    reviews: JSON.parse(row.reviews),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    scheduledAt: row.scheduled_at === null ? null : Number(row.scheduled_at),
    endedBy: row.ended_by,
  };
}
