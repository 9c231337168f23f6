import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jobOf } from '../__testUtils__/Bench.ts';
import { Artifacts } from '../artifacts/Artifacts.ts';
import type { BuildOutcome, StartedBuild } from '../builds/Build.ts';
import { BuildLog } from '../logs/BuildLog.ts';
import { BuildLogs } from '../logs/BuildLogs.ts';
import { StepSecrets } from '../secrets/StepSecrets.ts';
import { Interrupter } from './commands.ts';
import { type Place, PlaceLostError } from './Executor.ts';
import { runBuild, type RunParts } from './runBuild.ts';

let directory: string;
let outcomes: BuildOutcome[];
const warn = vi.fn();
const error = vi.fn();

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'run-build-'));
  outcomes = [];
  vi.clearAllMocks();
});

afterEach(() => rm(directory, { recursive: true }));

/** Runs a build whose files cannot be removed. */
async function run(
  logs: RunParts['logs'],
  more: Partial<Place> = {},
  steps: object[] = [],
  parts: Partial<RunParts> = {},
  { signal, killSignal } = new Interrupter(),
): Promise<void> {
  const place: Place = {
    run: async () => null,
    bring: async () => directory,
    put: async () => '',
    take: async () => undefined,
    close: () => Promise.reject(new Error('A file is immutable')),
    ...more,
  };
  await runBuild(
    {
      ...{ id: 1, job: 'job', number: 1, attempt: 1, startedAt: 0 },
      ...{ parameters: {}, steps, source: null, cause: 'Triggered by dev' },
    } as unknown as StartedBuild,
    { signal, killSignal, setIdle() {}, isShuttingDown: () => false },
    {
      worker: 'one',
      store: {
        saveProgress: async () => true,
        finish: async (_claim, outcome) => {
          outcomes.push(outcome);
          return true;
        },
      },
      jobs: { find: () => jobOf('true') },
      executor: {
        status: { kind: 'none', limits: null, gaps: [] },
        open: async () => place,
        tidy: async () => {},
        sweep: async () => {},
      },
      logs,
      artifacts: new Artifacts({ directory, maxBytes: 10_000 }),
      secrets: new StepSecrets({}),
      git: { protocols: [] },
      rules: {
        secrets: new Set(),
        stepSecrets: new StepSecrets({}),
        isProduction: false,
      },
      exchangeOf: () => ({
        gates: { ask: async () => undefined },
        caches: { fetch: async () => undefined, save: async () => {} },
        jobArtifacts: {
          list: async () => undefined,
          open: async () => undefined,
        },
      }),
      urlOf: () => 'http://localhost/',
      leaseMs: 1_000,
      now: Date.now,
      logger: { info() {}, warn, error },
      ...parts,
    },
  );
}

it('stores the result of a build whose files cannot be removed', async () => {
  await run(new BuildLogs({ directory, maxBytes: 10_000 }));
  expect(outcomes).toMatchObject([
    { result: 'SUCCESS', steps: [{ name: 'Run', state: 'done' }] },
  ]);
  expect(warn).toHaveBeenCalledWith(
    expect.objectContaining({ build: 'job #1' }),
    'Files of a build are left',
  );
});

it('logs why a build could not run rather than that its files are left', async () => {
  const failure = new Error('The disk is full');
  await run({ append: () => Promise.reject(failure) });
  expect(outcomes).toMatchObject([{ result: 'FAILURE' }]);
  expect(error).toHaveBeenCalledWith(
    { err: failure, build: 'job #1' },
    'A build failed because of an internal error',
  );
  expect(warn).toHaveBeenCalledWith(
    expect.objectContaining({ build: 'job #1' }),
    'Files of a build are left',
  );
});

it('says at which step a build could not go on, in its log too', async () => {
  const logs = new BuildLogs({ directory, maxBytes: 10_000 });
  await run(logs, {
    run: () => Promise.reject(new Error('Too many open files')),
  });
  const reason = 'The build server could not run it';
  expect(outcomes).toMatchObject([
    {
      ...{ result: 'FAILURE', reason },
      steps: [{ name: 'Run', state: 'failed', message: reason }],
    },
  ]);
  expect((await logs.read(1, 0)).bytes.toString()).toBe(
    `Triggered by dev\n==> Run\n==> ${reason}\nFinished: FAILURE\n`,
  );
});

it('fails a build whose secrets cannot be read, instead of starting it again and again', async () => {
  const failure = new Error('A glob is not valid');
  const secrets = new StepSecrets({});
  secrets.forBuild = () => {
    throw failure;
  };
  const suspend = vi.fn(async () => {});
  const lost = { suspend, losePlace: suspend, endRemoved: suspend };
  const logs = new BuildLogs({ directory, maxBytes: 10_000 });
  await run(logs, {}, [], { secrets, lost });
  expect(outcomes).toMatchObject([{ result: 'FAILURE' }]);
  expect(suspend).not.toHaveBeenCalled();
  expect(error).toHaveBeenCalledWith(
    { err: failure, build: 'job #1' },
    'A build failed because of an internal error',
  );
});

it('keeps the steps of the attempt that it resumes although its log cannot be opened', async () => {
  const approved = { name: 'Run', state: 'done', startedAt: 1, finishedAt: 2 };
  const append = () => Promise.reject(new Error('The disk is full'));
  await run({ append }, {}, [approved]);
  expect(outcomes).toMatchObject([{ result: 'FAILURE', steps: [approved] }]);
});

describe('a build that has lost its place', () => {
  const lost = new PlaceLostError('The node is gone');
  const more = { run: () => Promise.reject(lost) };
  const lostTo = (losePlace: NonNullable<RunParts['lost']>['losePlace']) => ({
    losePlace,
    endRemoved: async () => {},
    suspend: async () => {},
  });

  it('continues elsewhere, even if its log cannot be closed', async () => {
    const logs = new BuildLogs({ directory, maxBytes: 10_000 });
    const onLost = vi.fn(async () => {});
    const append: typeof logs.append = async (id, mask) => {
      const log = await logs.append(id, mask);
      const close = async () => {
        await BuildLog.prototype.close.call(log);
        throw new Error('The disk is full');
      };
      return Object.assign(log, { close });
    };
    await run({ append }, more, [], { lost: lostTo(onLost) });
    const claim = { id: 1, attempt: 1, worker: 'one' };
    const reason = 'The build lost its place: The node is gone';
    expect(onLost.mock.calls).toEqual([[claim, reason]]);
    expect(outcomes).toEqual([]);
    const text = (await logs.read(1, 0)).bytes.toString();
    expect(text).toBe('Triggered by dev\n==> Run\n');
  });

  it('is left to recovery if that cannot be recorded', async () => {
    const logs = new BuildLogs({ directory, maxBytes: 10_000 });
    const unreachable = new Error('The database is unreachable');
    const onLost = () => Promise.reject(unreachable);
    await run(logs, more, [], { lost: lostTo(onLost) });
    expect(outcomes).toEqual([]);
    expect(error).toHaveBeenCalledWith(
      { err: unreachable, build: 'job #1' },
      'A build was not handed over',
    );
  });

  it('fails if no other process can continue it', async () => {
    await run(new BuildLogs({ directory, maxBytes: 10_000 }), more);
    expect(outcomes).toMatchObject([{ result: 'FAILURE' }]);
  });
});

it.each([
  [{ kind: 'stopped', by: 'user:default/ada' }, 'Stopped by ada', false],
  [{ kind: 'lost' }, 'The build server lost its lease on the build', true],
] as const)(
  'ends by %o while its image is pulled, and closes its place later',
  async (interruption, reason, keepsFiles) => {
    const interrupter = new Interrupter();
    let finishOpening = (_place: Place) => {};
    const opening = new Promise<Place>(resolve => {
      finishOpening = resolve;
    });
    const close = vi.fn(async () => {});
    const unused = async () => {};
    const running = run(
      new BuildLogs({ directory, maxBytes: 10_000 }),
      {},
      [],
      {
        executor: {
          status: { kind: 'containers', limits: null, gaps: [] },
          open: () => opening,
          ...{ tidy: unused, sweep: unused },
        },
        lost: { endRemoved: unused, losePlace: unused, suspend: unused },
      },
      interrupter,
    );
    interrupter.interrupt(interruption);
    await running;
    expect(outcomes).toMatchObject([{ result: 'ABORTED', reason }]);
    expect(close).not.toHaveBeenCalled();
    finishOpening({ close } as Partial<Place> as Place);
    await vi.waitFor(() => expect(close).toHaveBeenCalledWith({ keepsFiles }));
  },
);
