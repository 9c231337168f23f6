import {
  type LeasedItem,
  type LeasedQueue,
  NotFoundError,
  ServiceError,
} from '@slipway/service-kit';
import type { ChangeRequests } from '../approval/ChangeRequests.ts';
import type { FlagAdmin } from '../flags/FlagAdmin.ts';
import { type Flag, stateOf, withState } from '../model/Flag.ts';
import type { NoticeEvent } from '../model/Notice.ts';
import type { Schedule, ScheduleStep } from '../model/Schedule.ts';
import type { TimedWork } from '../storage/timedWork.ts';
import { MovedOnError, type Schedules, type StepOutcome } from './Schedules.ts';
import { applyStep } from './steps.ts';

/** Milliseconds until another process may take over; longer than a step can take. */
const LEASE_MS = 60_000;
const BATCH = 20;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const MAX_WATCHED = 500;
/** How long a step is retried while its limits cannot be checked, in milliseconds. */
const UNCHECKED_MS = 900_000;

interface RunnerOptions {
  queue: LeasedQueue<TimedWork>;
  schedules: Schedules;
  requests: Pick<ChangeRequests, 'get' | 'apply' | 'reject'>;
  flags: FlagAdmin;
  /** Describes the limit that a schedule has crossed. */
  findCrossed: (schedule: Schedule) => Promise<string | undefined>;
  now: () => number;
}

/**
 * Runs what is due: steps of schedules, and scheduled change requests. After a crash another
 * process continues. Steps are idempotent.
 */
export class ScheduleRunner {
  readonly #options: RunnerOptions;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Runs everything that is due now. */
  async runDue(): Promise<void> {
    const { queue, now } = this.#options;
    for (;;) {
      const items = await queue.lease({
        now: now(),
        leaseMs: LEASE_MS,
        limit: BATCH,
      });
      for (const item of items) {
        await this.#run(item);
      }
      if (items.length < BATCH) {
        return;
      }
    }
  }

  /** Stops schedules that have crossed a limit, including between steps. */
  async watch(): Promise<void> {
    const active = await this.#options.schedules.list({
      states: ['active'],
      limit: MAX_WATCHED,
    });
    const failures: unknown[] = [];
    for (const schedule of active) {
      if (schedule.nextStep > 0 && schedule.limits.length > 0) {
        await this.#stopIfCrossed(schedule).catch(error =>
          failures.push(error),
        );
      }
    }
    if (failures.length > 0) {
      throw new AggregateError(
        failures,
        `Couldn't check the limits of ${failures.length} schedules: ${messageOf(failures[0])}`,
      );
    }
  }

  async #run(item: LeasedItem<TimedWork>): Promise<void> {
    const { queue, now } = this.#options;
    try {
      await ('schedule' in item.payload
        ? this.#step(item.payload)
        : this.#applyRequest(item.payload.changeRequest));
      await queue.complete(item, { now: now() });
    } catch (error) {
      const pause = FIRST_PAUSE_MS * 2 ** Math.min(item.attempts, 10);
      await queue.retry(item, {
        at: now() + Math.min(pause, LONGEST_PAUSE_MS),
        outcome: { error: String(error) },
      });
    }
  }

  async #step(due: { schedule: number; step: number }): Promise<void> {
    const { schedules, now } = this.#options;
    const schedule = await ifFound(schedules.get(due.schedule));
    const step = schedule?.steps.at(schedule.nextStep);
    const isDue =
      schedule?.state === 'active' &&
      schedule.nextStep === due.step &&
      step !== undefined &&
      step.at <= now();
    if (!isDue) {
      // Cancelled, paused, postponed, run by another process, or deleted with its flag.
      return;
    }
    if (schedule.nextStep > 0 && (await this.#isStopped(schedule, step))) {
      return;
    }
    await this.#take(schedule, step);
  }

  async #take(schedule: Schedule, step: ScheduleStep): Promise<void> {
    const { environment, strategyId } = schedule;
    await this.#change(schedule, 'schedule-ran', flag => {
      const isOff =
        schedule.nextStep > 0 && !stateOf(flag, environment).enabled;
      return isOff && step.enabled === undefined
        ? { flag, outcome: { paused: 'The flag was turned off' } }
        : {
            flag: applyStep(flag, environment, { step, strategyId }),
            outcome: 'step-ran',
          };
    });
  }

  /**
   * Changes the flag of a schedule, and records the outcome in the same transaction, so that a step is
   * neither repeated after a crash, nor run after someone has cancelled the schedule. An error that a
   * retry would not fix ends the schedule.
   */
  async #change(
    schedule: Schedule,
    includedIn: NoticeEvent,
    work: (flag: Flag) => { flag: Flag; outcome: StepOutcome },
  ): Promise<void> {
    const { schedules, flags } = this.#options;
    const { id, flag: name, environment, createdBy: by, isApproved } = schedule;
    let outcome: StepOutcome = 'step-ran';
    try {
      await flags.edit(
        name,
        {
          by,
          environment,
          isApproved,
          includedIn,
          alsoWrite: trx => schedules.record(trx, schedule, outcome),
        },
        flag => {
          const done = work(flag);
          outcome = done.outcome;
          return done.flag;
        },
      );
    } catch (error) {
      if (error instanceof MovedOnError) {
        return;
      }
      if (isPassing(error)) {
        throw error;
      }
      await schedules.fail(id, messageOf(error));
    }
  }

  /** Stops a schedule before a step if a limit was crossed, or could not be checked for too long. */
  async #isStopped(schedule: Schedule, step: ScheduleStep): Promise<boolean> {
    try {
      return await this.#stopIfCrossed(schedule);
    } catch (error) {
      if (this.#options.now() - step.at < UNCHECKED_MS) {
        throw error;
      }
      const reason = `Couldn't check the limits: ${messageOf(error)}`;
      await this.#stop(schedule, reason, { turnsOff: false });
      return true;
    }
  }

  async #stopIfCrossed(schedule: Schedule): Promise<boolean> {
    const reason = await this.#options.findCrossed(schedule);
    if (reason === undefined) {
      return false;
    }
    const turnsOff = schedule.whenCrossed === 'off';
    await this.#stop(schedule, reason, { turnsOff });
    return true;
  }

  #stop(
    schedule: Schedule,
    reason: string,
    { turnsOff }: { turnsOff: boolean },
  ): Promise<void> {
    return this.#change(schedule, 'schedule-paused', flag => ({
      flag: turnsOff
        ? withState(flag, schedule.environment, { enabled: false })
        : flag,
      outcome: { paused: reason },
    }));
  }

  async #applyRequest(id: number): Promise<void> {
    const { requests, now } = this.#options;
    const dueBy = now();
    const findDue = async () => {
      const request = await ifFound(requests.get(id));
      return request?.state === 'Scheduled' &&
        (request.scheduledAt ?? Infinity) <= dueBy
        ? request
        : undefined;
    };
    const request = await findDue();
    if (!request) {
      return;
    }
    const { createdBy: by } = request;
    try {
      const author = { by, principals: [by], isPerson: false };
      await requests.apply(id, author, { dueBy });
    } catch (error) {
      if (error instanceof MovedOnError) {
        return;
      }
      if (isPassing(error)) {
        throw error;
      }
      if (!(await findDue())) {
        // Someone has changed, postponed or ended it in the meantime.
        return;
      }
      const author = { by: 'schedule', principals: [], isPerson: false };
      await requests.reject(
        id,
        author,
        `Couldn't be applied: ${messageOf(error)}`,
      );
    }
  }
}

/** Resolves with undefined if the record does not exist. */
function ifFound<T>(record: Promise<T>): Promise<T | undefined> {
  return record.catch((error: unknown) => {
    if (error instanceof NotFoundError) {
      return undefined;
    }
    throw error;
  });
}

/** Checks whether a retry may succeed. */
function isPassing(error: unknown): boolean {
  return !(error instanceof ServiceError) || error.fault.kind === 'unavailable';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
