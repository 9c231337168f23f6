import { randomUUID } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { findProgram } from '@slipway/processes';
import { Bench, jobOf } from '../__testUtils__/Bench.ts';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  isolationFault,
  isolationModes,
} from '../__testUtils__/isolationModes.ts';
import type { Job } from '../jobs/Job.ts';
import { describeExcess, GrowthWatch } from './excess.ts';
import { ProcessLimits } from './limits.ts';

let bench: Bench;

afterEach(() => bench?.close());

/** Starts a build and waits for its end. */
async function buildOf(
  mode: string,
  job: Job,
  limits: Record<string, number> = {},
): Promise<{ client: BuildClient; result: string; reason: string }> {
  bench = await Bench.open(mode);
  const client = await bench.start([job], { isolation: { mode, limits } });
  const { result, reason } = await client.build('job');
  return { client, result, reason };
}

/** Takes a hundred mebibytes and keeps them. */
const HOG = `perl -e '$x = "x" x (100 * 1024 * 1024); print "took it\\n"; sleep 60'`;

describe.each(isolationModes)('%s', mode => {
  it('ends a build that fills the disk, and removes its files', async () => {
    const { client, result, reason } = await buildOf(
      mode,
      // Each file is small, and some have no name or are elsewhere.
      jobOf(
        'for n in $(seq 100); do head -c 2000000 /dev/zero > "$TMPDIR/$n"; head -c 2000000 /dev/zero > ~/$n; sleep 0.1; done',
      ),
      { diskMiB: 64 },
    );
    expect([result, reason]).toEqual([
      'FAILURE',
      'Ended because it used more than 64 MiB of disk space',
    ]);
    const { body } = await client.get('/job/job/1/wfapi/describe');
    expect(body.stages).toEqual([
      expect.objectContaining({ status: 'FAILED' }),
    ]);
    expect(await bench.folders()).toEqual([]);
  });

  it('ends a build that takes too much memory', async () => {
    const { result, reason } = await buildOf(mode, jobOf(HOG), {
      memoryMiB: 64,
    });
    expect(result).toBe('FAILURE');
    expect(reason).toMatch(/it used more than 64 MiB of memory$/);
  });

  it('uses the limits of the job instead', async () => {
    const { result, reason } = await buildOf(
      mode,
      jobOf(HOG, { limits: { memoryMiB: 48 } }),
    );
    expect(result).toBe('FAILURE');
    expect(reason).toMatch(/it used more than 48 MiB of memory$/);
  });
});

// eslint-disable-next-line jest/no-done-callback -- the test's context
it('ends a fork bomb that never gives up', async context => {
  context.skip(isolationFault !== undefined, isolationFault);
  const name = randomUUID();
  const { client, result, reason } = await buildOf(
    'required',
    jobOf(
      `perl -e '# ${name}
        while (1) { my $pid = fork; if (defined $pid && $pid == 0) { sleep 100; exit } }'`,
    ),
    { processes: 24 },
  );
  expect(result).toBe('FAILURE');
  expect(reason).toMatch(
    /^Ended because it (?:started more than 24 processes|ran \d+ processes of at most 24)$/,
  );
  expect((await client.get('/job/job/api/json')).status).toBe(200);
});

// eslint-disable-next-line jest/no-done-callback -- the test's context
it('shows the limits of a build', async context => {
  context.skip(isolationFault !== undefined, isolationFault);
  bench = await Bench.open('required');
  const client = await bench.start([jobOf('true')]);
  const { body } = await client.get('/isolation');
  expect(body.limits).toMatch(
    /: 4096 processes, \d+ MiB of memory, 20480 MiB of disk$/,
  );
});

// eslint-disable-next-line jest/no-done-callback -- the test's context
it('limits single processes where control groups do not work', async context => {
  const prlimit = findProgram('prlimit', '');
  context.skip(prlimit === null, 'prlimit is not installed');
  const limiter = new ProcessLimits(
    { processes: 4_096, memoryMiB: 1_024, fileBytes: 1_024 },
    prlimit,
  );
  await limiter.prepare(7, { processes: 333 });
  const [program, ...args] = limiter.command(7, [
    ...['/bin/sh', '-c'],
    'grep -E "Max (processes|file size)" /proc/self/limits; cat /proc/self/oom_score_adj',
  ]);
  const output = execFileSync(program, args).toString();
  expect(output).toMatch(/^Max file size +1024 +1024 /m);
  expect(output).toMatch(/^Max processes +333 +333 /m);
  expect(output).toMatch(/^1000$/m);
});

it('counts the descendants of the programs of a build', () => {
  const sessions = new Set([process.pid]);
  expect(describeExcess(sessions, { processes: 1, memoryMiB: 1 })).toBe(
    'it used more than 1 MiB of memory',
  );
  const much = { processes: 1_000, memoryMiB: 100_000 };
  expect(describeExcess(sessions, much)).toBeUndefined();
  expect(describeExcess(new Set(), { processes: 0, memoryMiB: 0 })).toBe(
    undefined,
  );
});

it('notices only counts that keep growing', () => {
  const watch = new GrowthWatch();
  expect([1, 1, 2, 3].map(count => watch.sample(7, count))).toEqual([
    false,
    false,
    false,
    true,
  ]);
});
