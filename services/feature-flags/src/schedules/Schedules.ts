import {
  ConflictError,
  NotFoundError,
  type Transaction,
} from '@slipway/service-kit';
import type { FlagAdmin } from '../flags/FlagAdmin.ts';
import {
  isOpen,
  type Limit,
  type Schedule,
  type SchedulePlan,
  type ScheduleStep,
} from '../model/Schedule.ts';
import type { ScheduleQuery, ScheduleStore } from '../storage/ScheduleStore.ts';
import { readPlan, type SentPlan } from './steps.ts';

/** The minimum delay of a step, in milliseconds, that postpones the steps after it. */
const LATE_MS = 60_000;

/** A flag in one environment. */
export interface Place {
  readonly flag: string;
  readonly environment: string;
}

interface ScheduleOptions {
  schedules: ScheduleStore;
  flags: Pick<FlagAdmin, 'get'>;
  /** Checks new limits. @throws InvalidRequestError */
  assertLimits: (limits: readonly Limit[]) => Promise<void>;
  now: () => number;
  /** Called after each commit; refreshes the state in memory. */
  onChanged: () => Promise<void>;
}

/** The outcome of running a schedule: it ran its next step, or paused for a reason. */
export type StepOutcome = 'step-ran' | { readonly paused: string };

/** Thrown if someone has cancelled, paused, advanced or postponed what was being run. */
export class MovedOnError extends Error {}

/** Schedules changes of flags. A flag has at most one open schedule in an environment. */
export class Schedules {
  readonly #options: ScheduleOptions;

  constructor(options: ScheduleOptions) {
    this.#options = options;
  }

  list(query: ScheduleQuery): Promise<Schedule[]> {
    return this.#options.schedules.list(query);
  }

  /** Returns a schedule. @throws NotFoundError */
  async get(id: number): Promise<Schedule> {
    return (await this.#options.schedules.find(id)) ?? fail(id);
  }

  /**
   * Validates a submitted plan for a flag, and fills in its defaults.
   *
   * @throws NotFoundError, InvalidRequestError
   */
  async plan(place: Place, sent: SentPlan): Promise<SchedulePlan> {
    const { flags, assertLimits, now } = this.#options;
    const flag = await flags.get(place.flag);
    if (flag.archivedAt !== null) {
      throw new NotFoundError(`Flag ${place.flag} not found`);
    }
    const { environment } = place;
    await assertLimits(sent.limits);
    return readPlan(sent, { flag, environment, now: now() });
  }

  /**
   * Starts a schedule; a step that is already due runs immediately.
   *
   * @param options.alsoWrite - makes further writes in the same transaction; if it throws, nothing starts.
   * @throws ConflictError if another one is open.
   */
  async start(
    place: Place,
    plan: SchedulePlan,
    options: {
      by: string;
      isApproved: boolean;
      alsoWrite?: (trx: Transaction) => Promise<void>;
    },
  ): Promise<Schedule> {
    const { schedules, now, onChanged } = this.#options;
    const { by, isApproved, alsoWrite } = options;
    const started = await schedules.transaction(async (records, trx) => {
      const [open] = await records.list({
        ...place,
        states: ['active', 'paused'],
        limit: 1,
      });
      if (open) {
        throw new ConflictError(
          `${place.flag} has schedule ${open.id} in ${place.environment}: cancel it first`,
        );
      }
      const inserted = await records.insert(
        {
          ...place,
          ...plan,
          state: 'active',
          reason: null,
          nextStep: 0,
          isApproved,
          createdBy: by,
          createdAt: now(),
          updatedAt: now(),
        },
        { what: 'created', by },
      );
      await alsoWrite?.(trx);
      return inserted;
    });
    await onChanged();
    return started;
  }

  /** Cancels a schedule. @throws ConflictError if it has ended. */
  cancel(id: number, by: string): Promise<Schedule> {
    return this.#update(id, { what: 'cancelled', by }, schedule => {
      if (!isOpen(schedule)) {
        refuse(schedule);
      }
      return { ...schedule, state: 'cancelled' };
    });
  }

  /** Pauses a schedule until it is resumed. @throws ConflictError if it is not active. */
  pause(id: number, by: string): Promise<Schedule> {
    return this.#update(id, { what: 'paused', by }, schedule => {
      if (schedule.state !== 'active') {
        refuse(schedule);
      }
      return { ...schedule, state: 'paused', reason: null };
    });
  }

  /** Resumes a paused schedule; the remaining steps are postponed by the length of the pause. */
  resume(id: number, by: string): Promise<Schedule> {
    const now = this.#options.now();
    return this.#update(id, { what: 'resumed', by }, schedule => {
      if (schedule.state !== 'paused') {
        refuse(schedule);
      }
      const pause = Math.max(0, now - schedule.updatedAt);
      return {
        ...schedule,
        state: 'active',
        reason: null,
        steps: postponed(schedule.steps, {
          from: schedule.nextStep,
          by: pause,
        }),
      };
    });
  }

  /**
   * Records, in the transaction of the change that a schedule makes to its flag, that its next step has
   * run, or why it pauses.
   *
   * @param seen - the schedule as read before the change.
   * @throws MovedOnError if someone has cancelled, paused, advanced or postponed it since: the change
   *   must not be made then.
   */
  async record(
    trx: Transaction,
    seen: Schedule,
    outcome: StepOutcome,
  ): Promise<void> {
    const records = this.#options.schedules.within(trx);
    const schedule = await records.find(seen.id);
    const timeOf = ({ steps }: Schedule) => steps.at(seen.nextStep)?.at;
    if (
      schedule?.state !== 'active' ||
      schedule.nextStep !== seen.nextStep ||
      // Someone has paused and resumed it, which postpones its steps.
      timeOf(schedule) !== timeOf(seen)
    ) {
      throw new MovedOnError(`Schedule ${seen.id} has moved on`);
    }
    const { createdBy: by } = schedule;
    const updatedAt = this.#options.now();
    if (outcome !== 'step-ran') {
      const { paused: reason } = outcome;
      await records.update(
        { ...schedule, state: 'paused', reason, updatedAt },
        { what: 'paused', by },
      );
      return;
    }
    const nextStep = schedule.nextStep + 1;
    const isDone = nextStep === schedule.steps.length;
    const delay = updatedAt - schedule.steps[seen.nextStep].at;
    const isObserved =
      schedule.strategyId !== null || schedule.limits.length > 0;
    await records.update(
      {
        ...schedule,
        nextStep,
        // After an outage or a late approval, the next step may be due before anyone has seen this one.
        steps:
          isObserved && delay >= LATE_MS
            ? postponed(schedule.steps, { from: nextStep, by: delay })
            : schedule.steps,
        reason: null,
        state: isDone ? 'done' : 'active',
        updatedAt,
      },
      { what: isDone ? 'done' : 'advanced', by },
    );
  }

  /** Ends a schedule that cannot be run. */
  async fail(id: number, reason: string): Promise<void> {
    const { createdBy: by } = await this.get(id);
    await this.#update(id, { what: 'failed', by }, schedule =>
      schedule.state === 'active'
        ? { ...schedule, state: 'failed', reason }
        : refuse(schedule),
    );
  }

  async #update(
    id: number,
    event: { what: string; by: string },
    edit: (schedule: Schedule) => Schedule,
  ): Promise<Schedule> {
    const { schedules, now, onChanged } = this.#options;
    const updated = await schedules.transaction(async trx => {
      const before = (await trx.find(id)) ?? fail(id);
      return trx.update({ ...edit(before), updatedAt: now() }, event);
    });
    await onChanged();
    return updated;
  }
}

function postponed(
  steps: readonly ScheduleStep[],
  { from, by }: { from: number; by: number },
): ScheduleStep[] {
  return steps.map((step, index) =>
    index < from ? step : { ...step, at: step.at + by },
  );
}

function refuse(schedule: Schedule): never {
  throw new ConflictError(`Schedule ${schedule.id} is ${schedule.state}`, {
    field: 'state',
    constraint: 'enum',
  });
}

function fail(id: number): never {
  throw new NotFoundError(`Schedule ${id} not found`);
}
