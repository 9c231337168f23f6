import type { LeasedQueue } from '@slipway/service-kit';
import type { ChangeRequests } from '../approval/ChangeRequests.ts';
import type { FlagAdmin } from '../flags/FlagAdmin.ts';
import { type Flag, NEW_TRAITS } from '../model/Flag.ts';
import type { Schedule } from '../model/Schedule.ts';
import type { TimedWork } from '../storage/timedWork.ts';
import { ScheduleRunner } from './ScheduleRunner.ts';
import type { Schedules } from './Schedules.ts';

const state = { enabled: true, strategies: [], variants: [] };

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

/** Runs the due step; `meanwhile` happens while its limits are checked. */
async function runWhile(meanwhile: (current: Schedule) => Schedule) {
  let current = schedule;
  const items = [{ payload: { schedule: 1, step: 1 }, attempts: 0 }];
  const edits: string[] = [];
  const runner = new ScheduleRunner({
    queue: {
      lease: async () => items.splice(0),
      complete: async () => {},
    } as unknown as LeasedQueue<TimedWork>,
    schedules: {
      get: async () => current,
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
    } as unknown as FlagAdmin,
    findCrossed: async () => {
      current = meanwhile(current);
      return undefined;
    },
    now: () => 10,
  });
  await runner.runDue();
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
