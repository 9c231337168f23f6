import { jobOf } from '../__testUtils__/Bench.ts';
import { isolationModes } from '../__testUtils__/isolationModes.ts';
import { sharedServer } from '../__testUtils__/sharedServer.ts';
import type { Job } from '../jobs/Job.ts';

const report = (cases: string) =>
  `mkdir -p out; printf '%s' '<testsuites><testsuite name="s">${cases}</testsuite></testsuites>' > out/report.xml`;
const PASSED = '<testcase name="a" classname="s"/>';
const FAILED = `${PASSED}<testcase name="b"><failure message="1 &lt; 2"/></testcase>`;

describe.each(isolationModes)('a result with isolation %s', mode => {
  const server = sharedServer(mode);

  const ENDS: [
    run: string,
    more: Partial<Job>,
    result: string,
    reason: string,
  ][] = [
    ['exit 3', {}, 'FAILURE', 'Run failed: it ended with exit code 3'],
    [
      'kill -9 $$',
      {},
      'FAILURE',
      // A sandbox only passes on the exit code, which encodes the signal as shells do.
      mode === 'required'
        ? 'Run failed: it ended with exit code 137'
        : 'Run failed: it ended with SIGKILL',
    ],
    [
      'false; echo not reached',
      {},
      'FAILURE',
      'Run failed: it ended with exit code 1',
    ],
    ['sleep 30', { timeoutSeconds: 1 }, 'FAILURE', 'Timed out after 1 seconds'],
  ];

  const TESTED: [
    run: string,
    result: string,
    reason: unknown,
    tests: object | null,
  ][] = [
    [report(PASSED), 'SUCCESS', null, { total: 1, failed: 0 }],
    [
      report(FAILED),
      'UNSTABLE',
      '1 of 2 tests failed',
      { failed: 1, failures: [{ name: 'b', message: '1 < 2' }] },
    ],
    [
      `${report(FAILED)}; exit 1`,
      'FAILURE',
      'Run failed: it ended with exit code 1',
      { failed: 1 },
    ],
    ['true', 'FAILURE', 'No test report matches out/*.xml', null],
    [
      'mkdir out; echo "<a>" > out/x.xml',
      'FAILURE',
      expect.stringContaining('not well-formed'),
      null,
    ],
    [
      'mkdir out; ln -s /etc/passwd out/x.xml',
      'FAILURE',
      'No test report matches out/*.xml',
      null,
    ],
  ];

  it.each(
    ENDS.map(
      ([run, more, result, reason]) =>
        [run, more, result, reason, server.job(jobOf(run, more))] as const,
    ),
  )('of %s %o is %s', async (_run, _more, result, reason, job) => {
    const { client } = server;
    const build = await client.build(job);
    expect(build).toMatchObject({ result, reason });
    expect(build.steps).toMatchObject([{ state: 'failed' }]);
    expect(await client.log(`/job/${job}/1/`)).not.toContain('not reached');
  });

  const parallel = server.job({
    steps: [
      { name: 'Long', run: 'sleep 60' },
      { name: 'Short', run: 'exit 1', needs: [] },
    ],
  });

  it('shows that a step has ended while another still runs', async () => {
    const { client } = server;
    const build = await client.started(await client.trigger(parallel));
    await vi.waitFor(
      async () => {
        const { body } = await client.get(`${build}api/json`);
        expect(body).toMatchObject({
          building: true,
          steps: [{ state: 'running' }, { state: 'failed' }],
        });
      },
      { timeout: 20_000, interval: 20 },
    );
    await client.post(`${build}stop`);
    await client.ended(build);
  });

  const lenient = server.job({
    steps: [
      { name: 'Lint', run: 'exit 1', allowFailure: true },
      {
        name: 'Slow',
        run: 'sleep 9',
        allowFailure: true,
        timeoutSeconds: 1,
      },
      { name: 'Build', run: 'echo built' },
    ],
  });

  it('is unstable where a step may fail, and later steps run', async () => {
    const build = await server.client.build(lenient);
    expect(build).toMatchObject({
      result: 'UNSTABLE',
      steps: [
        { name: 'Lint', state: 'warning' },
        { state: 'warning', message: 'it timed out after 1 seconds' },
        { name: 'Build', state: 'done' },
      ],
    });
  });

  it.each(
    TESTED.map(([run, result, reason, tests]) => {
      const job = server.job(jobOf(run, { junit: ['out/*.xml'] }));
      return [run, result, reason, tests, job] as const;
    }),
  )('of %s is %s by its tests', async (_run, result, reason, tests, job) => {
    const build = await server.client.build(job);
    expect(build).toMatchObject({ result, reason });
    expect(build).toMatchObject({ tests });
  });
});
