import { type Database, LeasedQueue } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { ChangeRequest } from '../model/ChangeRequest.ts';
import type { Schedule } from '../model/Schedule.ts';

/** Work that is due at a time: a step of a schedule, or an approved change. */
export type TimedWork =
  | { readonly schedule: number; readonly step: number }
  | { readonly changeRequest: number };

/** Opens the durable queue of timed work. */
export function openTimedWork(database: Database): LeasedQueue<TimedWork> {
  return new LeasedQueue<TimedWork>({ database, name: 'flag-schedules' });
}

/** Enqueues the next step of a schedule. An item that was enqueued for an earlier time has no effect. */
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

/** Enqueues the application of a change request, if it is scheduled. */
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
