import {
  ConflictError,
  type LeasedQueue,
  NotFoundError,
  type Transaction,
} from '@slipway/service-kit';
import type { ChangeRequests } from '../approval/ChangeRequests.ts';
import type { FlagAdmin } from '../flags/FlagAdmin.ts';
import {
  type Flag,
  type FlagState,
  NEW_TRAITS,
  stateOf,
  withState,
} from '../model/Flag.ts';
import type { ChangeRequest } from '../model/ChangeRequest.ts';
import type { Schedule } from '../model/Schedule.ts';
import type { ScheduleStore } from '../storage/ScheduleStore.ts';
import type { TimedWork } from '../storage/timedWork.ts';
import { ScheduleRunner } from './ScheduleRunner.ts';
import { Schedules } from './Schedules.ts';

const state = { enabled: true, strategies: [], variants: [] };

const LIMIT = {
  kind: 'deployments',
  service: 'component:default/shop',
  failures: 1,
} as const;

const flag: Flag = {
  ...NEW_TRAITS,
  name: 'checkout',
  project: 'default',
  createdAt: 0,
  updatedAt: 0,
  archivedAt: null,
  states: { production: state },
  revisions: { latest: 1, shared: 1, states: {} },
};

/** A schedule whose second step is due. */
const schedule: Schedule = {
  id: 1,
  flag: 'checkout',
  environment: 'production',
  state: 'active',
  reason: null,
  nextStep: 1,
  steps: [
    { at: 1, percentage: 5 },
    { at: 2, percentage: 100 },
  ],
  strategyId: 'rollout',
  limits: [],
  whenCrossed: 'pause',
  isApproved: false,
  createdBy: 'user:default/ada',
  createdAt: 0,
  updatedAt: 1,
};

/** A queue with one due item. */
function queueOf(payload: TimedWork): LeasedQueue<TimedWork> {
  const items = [{ payload, attempts: 0 }];
  return {
    lease: async () => items.splice(0),
    complete: async () => {},
  } as unknown as LeasedQueue<TimedWork>;
}

/**
 * Runs the due step, or checks the limits between steps.
 *
 * @param options.whileChecking - a change of the schedule by someone else while limits are checked.
 * @param options.whileChanging - such a change while the flag is being changed.
 * @returns the committed states of the flag, and of the schedule.
 */
async function run({
  whileChecking = each => each,
  whileChanging = each => each,
  work = runner => runner.runDue(),
  crossed,
  off = false,
}: {
  whileChecking?: (current: Schedule) => Schedule;
  whileChanging?: (current: Schedule) => Schedule;
  work?: (runner: ScheduleRunner) => Promise<void>;
  crossed?: string;
  off?: boolean;
} = {}) {
  let current: Schedule = { ...schedule, limits: [LIMIT], whenCrossed: 'off' };
  const committed: FlagState[] = [];
  const records = {
    find: async () => current,
    list: async () => [current],
    update: async (updated: Schedule) => {
      current = updated;
      return updated;
    },
  };
  const runner = new ScheduleRunner({
    queue: queueOf({ schedule: 1, step: 1 }),
    schedules: new Schedules({
      schedules: {
        ...records,
        within: () => records,
      } as unknown as ScheduleStore,
      flags: {} as FlagAdmin,
      assertLimits: async () => {},
      now: () => 10,
      onChanged: async () => {},
    }),
    requests: {} as ChangeRequests,
    flags: {
      edit: async (_name, { alsoWrite }, apply) => {
        current = whileChanging(current);
        const before = off
          ? withState(flag, 'production', { enabled: false })
          : flag;
        const after = apply(before);
        await alsoWrite?.({} as Transaction);
        if (after !== before) {
          committed.push(stateOf(after, 'production'));
        }
        return after;
      },
    } as Partial<FlagAdmin> as FlagAdmin,
    findCrossed: async () => {
      current = whileChecking(current);
      return crossed;
    },
    now: () => 10,
  });
  await work(runner);
  return { committed, schedule: current };
}

const movedOn = [
  { state: 'cancelled' },
  { state: 'paused' },
  { nextStep: 2 },
  // Someone has paused and resumed it.
  { steps: schedule.steps.map(step => ({ ...step, at: step.at + 5 })) },
] as const;

describe('a step', () => {
  it('changes the flag, and the schedule advances', async () => {
    const { committed, schedule: after } = await run();
    expect(committed).toMatchObject([
      { enabled: true, strategies: [{ parameters: { rollout: '100' } }] },
    ]);
    expect(after.state).toBe('done');
  });

  it.each(movedOn)(
    'does not change the flag of a schedule that has moved on: %o',
    async change => {
      const byOther = (current: Schedule) => ({ ...current, ...change });
      for (const meanwhile of [
        { whileChecking: byOther },
        { whileChanging: byOther },
      ]) {
        const { committed, schedule: after } = await run(meanwhile);
        expect(committed).toEqual([]);
        expect(after).toMatchObject(change);
      }
    },
  );

  it('pauses a schedule whose flag was turned off', async () => {
    const { committed, schedule: after } = await run({ off: true });
    expect(committed).toEqual([]);
    expect(after).toMatchObject({
      state: 'paused',
      reason: 'The flag was turned off',
    });
  });
});

describe('a limit that is crossed', () => {
  const crossed = 'Too many failures';
  const works = [
    ['between steps', (runner: ScheduleRunner) => runner.watch()],
    ['before a step', (runner: ScheduleRunner) => runner.runDue()],
  ] as const;

  it.each(works)('turns the flag off %s', async (_when, work) => {
    const { committed, schedule: after } = await run({ work, crossed });
    expect(committed).toEqual([{ ...state, enabled: false }]);
    expect(after).toMatchObject({ state: 'paused', reason: crossed });
  });

  it.each(works)(
    'has no effect %s on a schedule that has moved on in the meantime',
    async (_when, work) => {
      for (const change of movedOn) {
        const { committed } = await run({
          whileChecking: current => ({ ...current, ...change }),
          work,
          crossed,
        });
        expect(committed).toEqual([]);
      }
    },
  );
});

it.each([{ schedule: 1, step: 1 }, { changeRequest: 1 }])(
  'does not repeat work whose flag was deleted: %o',
  async payload => {
    const items = [{ payload, attempts: 0 }];
    const ended: string[] = [];
    const get = async () => {
      throw new NotFoundError('Not found');
    };
    const runner = new ScheduleRunner({
      queue: {
        lease: async () => items.splice(0),
        complete: async () => ended.push('completed'),
        retry: async () => ended.push('retried'),
      } as unknown as LeasedQueue<TimedWork>,
      schedules: { get } as unknown as Schedules,
      requests: { get } as unknown as ChangeRequests,
      flags: {} as FlagAdmin,
      findCrossed: async () => undefined,
      now: () => 10,
    });
    await runner.runDue();
    expect(ended).toEqual(['completed']);
  },
);

describe('a scheduled change request that cannot be applied', () => {
  const due = {
    id: 1,
    state: 'Scheduled',
    scheduledAt: 10,
    createdBy: 'user:default/ada',
  } as ChangeRequest;

  /** Runs the request while someone else changes it. @returns the reasons of its rejections. */
  async function rejectionsOf(change: Partial<ChangeRequest>) {
    let current = due;
    const rejections: string[] = [];
    const runner = new ScheduleRunner({
      queue: queueOf({ changeRequest: 1 }),
      schedules: {} as Schedules,
      requests: {
        get: async () => current,
        apply: async () => {
          current = { ...current, ...change };
          throw new ConflictError('Others have changed the flag');
        },
        reject: async (_id, _author, words = '') => {
          rejections.push(words);
          return current;
        },
      },
      flags: {} as FlagAdmin,
      findCrossed: async () => undefined,
      now: () => 10,
    });
    await runner.runDue();
    return rejections;
  }

  it('is rejected, with the reason', async () => {
    expect(await rejectionsOf({})).toEqual([
      "Couldn't be applied: Others have changed the flag",
    ]);
  });

  it.each([
    { scheduledAt: 1_000 },
    { state: 'Cancelled', scheduledAt: null },
  ] as const)('is left alone if someone has changed it: %o', async change => {
    expect(await rejectionsOf(change)).toEqual([]);
  });
});
