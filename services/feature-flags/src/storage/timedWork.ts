import { type Database, LeasedQueue } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { ChangeRequest } from '../model/ChangeRequest.ts';
import type { Schedule } from '../model/Schedule.ts';

/** Something that is to be done at a time: a step of a schedule, or an approved change. */
export type TimedWork =
  | { readonly schedule: number; readonly step: number }
  | { readonly changeRequest: number };

/** Opens the queue of what flags are to become at a time; it outlives restarts. */
export function openTimedWork(database: Database): LeasedQueue<TimedWork> {
  return new LeasedQueue<TimedWork>({ database, name: 'flag-schedules' });
}

/** Has the next step of a schedule done at its time. An item that was enqueued for another time finds nothing to do. */
export async function enqueueStep(
  queue: LeasedQueue<TimedWork>,
  trx: Knex.Transaction,
  { id, state, nextStep, steps, updatedAt }: Schedule,
): Promise<void> {
  const step = steps.at(nextStep);
  if (state !== 'active' || nextStep >= steps.length || !step) {
    return;
  }
  await queue.enqueue(trx, [
    {
      id: `schedule:${id}:${nextStep}:${updatedAt}`,
      payload: { schedule: id, step: nextStep },
      createdAt: updatedAt,
      dueAt: step.at,
    },
  ]);
}

/** Has a change request applied at its time, where it has one. */
export async function enqueueApplication(
  queue: LeasedQueue<TimedWork>,
  trx: Knex.Transaction,
  { id, state, scheduledAt, updatedAt }: ChangeRequest,
): Promise<void> {
  if (state === 'Scheduled' && scheduledAt !== null) {
    await queue.enqueue(trx, [
      {
        id: `change-request:${id}:${scheduledAt}:${updatedAt}`,
        payload: { changeRequest: id },
        createdAt: updatedAt,
        dueAt: scheduledAt,
      },
    ]);
  }
}
