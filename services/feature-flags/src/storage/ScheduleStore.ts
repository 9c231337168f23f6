import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { Reaction, Schedule, ScheduleState } from '../model/Schedule.ts';
import { writeHistory } from './History.ts';
import { lockRevision, raiseRevision } from './revisions.ts';

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
export interface ScheduleQuery {
  readonly flag?: string;
  readonly environment?: string;
  readonly states?: readonly ScheduleState[];
  readonly limit: number;
}

/** An event of a schedule, and who caused it. */
export interface ScheduleEvent {
  /** `created`, `advanced`, `paused`, `resumed`, `cancelled`, `done` or `failed`. */
  readonly what: string;
  readonly by: string;
}

/** One transaction over schedules, isolated from other writers. */
export interface ScheduleTransaction {
  find(id: number): Promise<Schedule | undefined>;
  list(query: ScheduleQuery): Promise<Schedule[]>;
  insert(
    schedule: Omit<Schedule, 'id'>,
    event: ScheduleEvent,
  ): Promise<Schedule>;
  update(schedule: Schedule, event: ScheduleEvent): Promise<Schedule>;
}

interface ScheduleStoreOptions {
  database: Database;
  /** Called in the transaction of each event, e.g. to enqueue the next step and to report it. */
  onEvent: (
    trx: Knex.Transaction,
    schedule: Schedule,
    event: ScheduleEvent,
  ) => Promise<void>;
}

/** Stores schedules in the service's database, and their events in the history of their flags. */
export class ScheduleStore {
  readonly #database: Database;
  readonly #onEvent: ScheduleStoreOptions['onEvent'];

  constructor(options: ScheduleStoreOptions) {
    this.#database = options.database;
    this.#onEvent = options.onEvent;
  }

  find(id: number): Promise<Schedule | undefined> {
    return findSchedule(this.#database.knex, id);
  }

  /** Lists schedules, newest first. */
  list(query: ScheduleQuery): Promise<Schedule[]> {
    return listSchedules(this.#database.knex, query);
  }

  transaction<T>(work: (trx: ScheduleTransaction) => Promise<T>): Promise<T> {
    const { client } = this.#database;
    return this.#database.transaction(async trx => {
      await lockRevision(trx, { subject: 'flags', client });
      return work({
        find: id => findSchedule(trx, id),
        list: query => listSchedules(trx, query),
        insert: async (schedule, event) => {
          const [row] = await trx<Row>('schedules')
            .insert(toRow(schedule))
            .returning('*');
          const created = toSchedule(row);
          await this.#tell(trx, created, event);
          return created;
        },
        update: async (schedule, event) => {
          await trx('schedules')
            .where({ id: schedule.id })
            .update(toRow(schedule));
          await this.#tell(trx, schedule, event);
          return schedule;
        },
      });
    });
  }

  async #tell(
    trx: Knex.Transaction,
    schedule: Schedule,
    event: ScheduleEvent,
  ): Promise<void> {
    const { what, by } = event;
    await this.#onEvent(trx, schedule, event);
    // Pages that follow flags refetch schedules too.
    await raiseRevision(trx, 'flags');
    if (what !== 'advanced') {
      const { id, flag, environment, updatedAt, reason } = schedule;
      await writeHistory(trx, {
        type: `schedule-${what}`,
        subject: flag,
        environment,
        createdBy: by,
        createdAt: updatedAt,
        after: { schedule: id, ...(reason !== null && { reason }) },
      });
    }
  }
}

async function findSchedule(
  knex: Knex,
  id: number,
): Promise<Schedule | undefined> {
  const row = await knex<Row>('schedules').where({ id }).first();
  return row && toSchedule(row);
}

async function listSchedules(
  knex: Knex,
  { flag, environment, states, limit }: ScheduleQuery,
): Promise<Schedule[]> {
  const query = knex<Row>('schedules').orderBy('id', 'desc').limit(limit);
  if (flag !== undefined) {
    query.where({ flag_name: flag });
  }
  if (environment !== undefined) {
    query.where({ environment });
  }
  if (states) {
    query.whereIn('state', [...states]);
  }
  return (await query).map(toSchedule);
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
