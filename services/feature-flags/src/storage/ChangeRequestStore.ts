import type { Database } from '@slipway/service-kit';
import type {
  ChangeRequest,
  ChangeRequestState,
} from '../model/ChangeRequest.ts';
import {
  EventedRecords,
  type OnRecordEvent,
  type RecordQuery,
} from './EventedRecords.ts';

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

/** A filter of change requests. */
export type ChangeRequestQuery = RecordQuery<ChangeRequestState>;

/** Change requests in the service's database, with their events in the history of their flags. */
export type ChangeRequestStore = EventedRecords<
  ChangeRequest,
  ChangeRequestState,
  Row
>;

/**
 * Opens the change requests. Their events are `created`, `updated`, `approved`, `scheduled`,
 * `applied`, `rejected`, `cancelled` and `commented`.
 */
export function openChangeRequestStore(options: {
  database: Database;
  onEvent: OnRecordEvent<ChangeRequest>;
}): ChangeRequestStore {
  return new EventedRecords<ChangeRequest, ChangeRequestState, Row>({
    ...options,
    table: 'change_requests',
    kind: 'change-request',
    toRow,
    fromRow: toRequest,
    historyOf: ({ id, state }) => ({ changeRequest: id, state }),
  });
}

function toRow(request: Omit<ChangeRequest, 'id'>) {
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
