import type { Job } from '../jobs/Job.ts';
import { runSchedules } from './runSchedules.ts';

const MINUTE_MS = 60_000;

let checked: Map<string, number>;
let now: number;
let triggered: string[];
let fails: boolean;
/** Why jobs are disabled, by their names. */
let disabled: Map<string, string>;

const known = ['a', 'b'].map((name): Job => ({
  name,
  steps: [],
  schedule: ['* * * * *'],
}));
let jobs: Job[];

const run = () =>
  runSchedules({
    jobs: {
      all: () => jobs,
      disabledReason: name => disabled.get(name),
    },
    store: {
      findScheduleCheck: async job => checked.get(job),
      noteScheduleCheck: async (job, at) => {
        checked.set(job, at);
      },
    },
    triggers: {
      async trigger({ job, delivery }) {
        if (fails && job.name === 'a') {
          throw new Error('The database is gone');
        }
        triggered.push(`${job.name} ${delivery}`);
        return {} as never;
      },
    },
    now: () => now,
    logger: { warn() {} },
  });

beforeEach(async () => {
  jobs = known;
  checked = new Map();
  disabled = new Map();
  triggered = [];
  fails = false;
  now = 10 * MINUTE_MS + 1;
  await run();
  now += MINUTE_MS;
});

it('triggers what was due since the last check once', async () => {
  expect(triggered).toEqual([]);
  await run();
  await run();
  expect(triggered).toEqual(['a schedule:660000', 'b schedule:660000']);
});

it('tries a job again that could not be triggered, and keeps to the others', async () => {
  fails = true;
  await run();
  expect(triggered).toEqual(['b schedule:660000']);
  fails = false;
  now += 1_000;
  await run();
  expect(triggered).toEqual(['b schedule:660000', 'a schedule:660000']);
});

it.each([
  'is disabled by user:default/ada',
  'is disabled: a.yaml line 1: steps is required',
])('does not make up for what a job has missed that %s', async reason => {
  disabled.set('a', reason);
  await run();
  now += 60 * MINUTE_MS;
  await run();
  disabled.clear();
  await run();
  expect(triggered.filter(one => one.startsWith('a'))).toEqual([]);
  now += MINUTE_MS;
  await run();
  expect(triggered.filter(one => one.startsWith('a'))).toEqual([
    `a schedule:${72 * MINUTE_MS}`,
  ]);
});

it('does not make up for what a job has missed whose schedule was unknown', async () => {
  disabled.set('a', 'is disabled: a.yaml line 1: steps is required');
  jobs = [{ name: 'a', steps: [] }];
  await run();
  disabled.clear();
  jobs = known;
  await run();
  expect(triggered.filter(one => one.startsWith('a'))).toEqual([]);
});
