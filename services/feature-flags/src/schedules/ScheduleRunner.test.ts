import { type LeasedQueue, NotFoundError } from '@slipway/service-kit';
import type { ChangeRequests } from '../approval/ChangeRequests.ts';
import type { FlagAdmin } from '../flags/FlagAdmin.ts';
import { type Flag, NEW_TRAITS } from '../model/Flag.ts';
import type { Schedule } from '../model/Schedule.ts';
import type { TimedWork } from '../storage/timedWork.ts';
import { ScheduleRunner } from './ScheduleRunner.ts';
import type { Schedules } from './Schedules.ts';

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

/**
 * Runs the due step, or checks the limits between steps; `meanwhile` is applied while they are
 * being checked.
 */
async function runWhile(
  meanwhile: (current: Schedule) => Schedule,
  {
    work = runner => runner.runDue(),
    crossed,
  }: {
    work?: (runner: ScheduleRunner) => Promise<void>;
    crossed?: string;
  } = {},
) {
  let current: Schedule = { ...schedule, limits: [LIMIT], whenCrossed: 'off' };
  const items = [{ payload: { schedule: 1, step: 1 }, attempts: 0 }];
  const edits: string[] = [];
  const runner = new ScheduleRunner({
    queue: {
      lease: async () => items.splice(0),
      complete: async () => {},
    } as unknown as LeasedQueue<TimedWork>,
    schedules: {
      get: async () => current,
      list: async () => [current],
      pause: async () => {
        current = { ...current, state: 'paused' };
        return current;
      },
      advance: async () => {
        current = { ...current, nextStep: 2, state: 'done' };
        return current;
      },
    } as unknown as Schedules,
    requests: {} as ChangeRequests,
    flags: {
      get: async () => flag,
      edit: async (name: string) => {
        edits.push(name);
        return flag;
      },
      update: async (name: string, { enabled }: { enabled: boolean }) => {
        edits.push(`${name} ${enabled ? 'on' : 'off'}`);
        return flag;
      },
    } as unknown as FlagAdmin,
    findCrossed: async () => {
      current = meanwhile(current);
      return crossed;
    },
    now: () => 10,
  });
  await work(runner);
  return edits;
}

describe('a step whose limits are being checked', () => {
  it('changes the flag, and the schedule advances', async () => {
    expect(await runWhile(current => current)).toEqual(['checkout']);
  });

  it.each(['cancelled', 'paused'] as const)(
    'does not change the flag of a schedule that was %s in the meantime',
    async ended => {
      expect(await runWhile(current => ({ ...current, state: ended }))).toEqual(
        [],
      );
    },
  );
});

describe('a limit that is crossed', () => {
  const crossed = 'Too many failures';
  const works = [
    ['between steps', (runner: ScheduleRunner) => runner.watch()],
    ['before a step', (runner: ScheduleRunner) => runner.runDue()],
  ] as const;

  it.each(works)('turns the flag off %s', async (_when, work) => {
    expect(await runWhile(current => current, { work, crossed })).toEqual([
      'checkout off',
    ]);
  });

  it.each(works)(
    'has no effect %s on a schedule that has moved on in the meantime',
    async (_when, work) => {
      for (const change of [
        { state: 'cancelled' },
        { state: 'paused' },
        { nextStep: 2 },
      ] as const) {
        const edits = await runWhile(current => ({ ...current, ...change }), {
          work,
          crossed,
        });
        expect(edits).toEqual([]);
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
