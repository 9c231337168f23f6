import {
  type LeasedItem,
  type LeasedQueue,
  NotFoundError,
  ServiceError,
} from '@slipway/service-kit';
import type { ChangeRequests } from '../approval/ChangeRequests.ts';
import type { FlagAdmin } from '../flags/FlagAdmin.ts';
import { stateOf } from '../model/Flag.ts';
import type { Schedule, ScheduleStep } from '../model/Schedule.ts';
import type { TimedWork } from '../storage/timedWork.ts';
import type { Schedules } from './Schedules.ts';
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
    await this.#orFail(schedule, () => this.#take(schedule, step));
  }

  async #take(schedule: Schedule, step: ScheduleStep): Promise<void> {
    const { schedules, flags } = this.#options;
    const { id, environment, strategyId, createdBy, isApproved } = schedule;
    if (await this.#hasMovedOn(schedule)) {
      return;
    }
    const flag = await flags.get(schedule.flag);
    const isOff = schedule.nextStep > 0 && !stateOf(flag, environment).enabled;
    if (isOff && step.enabled === undefined) {
      await schedules.pause(id, createdBy, 'The flag was turned off');
      return;
    }
    await flags.edit(
      flag.name,
      { by: createdBy, environment, isApproved, includedIn: 'schedule-ran' },
      each => applyStep(each, environment, { step, strategyId }),
    );
    await schedules.advance(id, schedule.nextStep);
  }

  /** Ends a schedule after an error that a retry would not fix. */
  async #orFail(schedule: Schedule, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isPassing(error)) {
        throw error;
      }
      await this.#options.schedules.fail(schedule.id, messageOf(error));
    }
  }

  /** Stops a schedule before a step if a limit was crossed, or could not be checked for too long. */
  async #isStopped(schedule: Schedule, step: ScheduleStep): Promise<boolean> {
    const { schedules, now } = this.#options;
    try {
      return await this.#stopIfCrossed(schedule);
    } catch (error) {
      if (now() - step.at < UNCHECKED_MS) {
        throw error;
      }
      const reason = `Couldn't check the limits: ${messageOf(error)}`;
      await schedules.pause(schedule.id, schedule.createdBy, reason);
      return true;
    }
  }

  async #stopIfCrossed(schedule: Schedule): Promise<boolean> {
    const { findCrossed, schedules, flags } = this.#options;
    const reason = await findCrossed(schedule);
    if (reason === undefined) {
      return false;
    }
    if (await this.#hasMovedOn(schedule)) {
      return true;
    }
    const { id, environment, createdBy: by, isApproved } = schedule;
    if (schedule.whenCrossed === 'off') {
      await this.#orFail(schedule, async () => {
        await flags.update(
          schedule.flag,
          { enabled: false },
          { by, environment, isApproved, includedIn: 'schedule-paused' },
        );
      });
    }
    const { state } = await schedules.get(id);
    if (state === 'active') {
      await schedules.pause(id, by, reason);
    }
    return true;
  }

  /** Checks whether someone cancelled, paused or advanced a schedule while its limits were checked. */
  async #hasMovedOn({ id, nextStep }: Schedule): Promise<boolean> {
    const current = await this.#options.schedules.get(id);
    return current.state !== 'active' || current.nextStep !== nextStep;
  }

  async #applyRequest(id: number): Promise<void> {
    const { requests, now } = this.#options;
    const request = await ifFound(requests.get(id));
    if (
      request?.state !== 'Scheduled' ||
      (request.scheduledAt ?? Infinity) > now()
    ) {
      return;
    }
    const { createdBy: by } = request;
    try {
      await requests.apply(id, { by, principals: [by], isPerson: false });
    } catch (error) {
      if (isPassing(error)) {
        throw error;
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
