import type { Database } from '@slipway/service-kit';
import type { Reaction, Schedule, ScheduleState } from '../model/Schedule.ts';
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
  state: ScheduleState;
  reason: string | null;
  strategy_id: string | null;
  steps: string;
  next_step: number;
  limits: string;
  when_crossed: Reaction;
  approved: boolean | number;
  created_by: string;
  created_at: number | string;
  updated_at: number | string;
}

/** A filter of schedules. */
export type ScheduleQuery = RecordQuery<ScheduleState>;

/** Schedules in the service's database, with their events in the history of their flags. */
export type ScheduleStore = EventedRecords<Schedule, ScheduleState, Row>;

/**
 * Opens the schedules. Their events are `created`, `advanced`, `paused`, `resumed`, `cancelled`,
 * `done` and `failed`; every step that advances one is in the history as a change of its flag.
 */
export function openScheduleStore(options: {
  database: Database;
  onEvent: OnRecordEvent<Schedule>;
}): ScheduleStore {
  return new EventedRecords<Schedule, ScheduleState, Row>({
    ...options,
    table: 'schedules',
    kind: 'schedule',
    toRow,
    fromRow: toSchedule,
    historyOf: ({ id, reason }, { what }) =>
      what === 'advanced'
        ? undefined
        : { schedule: id, ...(reason !== null && { reason }) },
  });
}

function toRow(schedule: Omit<Schedule, 'id'>) {
  return {
    flag_name: schedule.flag,
    environment: schedule.environment,
    state: schedule.state,
    reason: schedule.reason,
    strategy_id: schedule.strategyId,
    steps: JSON.stringify(schedule.steps),
    next_step: schedule.nextStep,
    limits: JSON.stringify(schedule.limits),
    when_crossed: schedule.whenCrossed,
    approved: schedule.isApproved,
    created_by: schedule.createdBy,
    created_at: schedule.createdAt,
    updated_at: schedule.updatedAt,
  };
}

function toSchedule(row: Row): Schedule {
  return {
    id: row.id,
    flag: row.flag_name,
    environment: row.environment,
    state: row.state,
    reason: row.reason,
    strategyId: row.strategy_id,
    steps: JSON.parse(row.steps),
    nextStep: row.next_step,
    limits: JSON.parse(row.limits),
    whenCrossed: row.when_crossed,
    isApproved: Boolean(row.approved),
    createdBy: row.created_by,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}
