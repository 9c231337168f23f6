import { Bench, jobOf } from '../__testUtils__/Bench.ts';
import type { BuildClient } from '../__testUtils__/BuildClient.ts';
import { isolationModes } from '../__testUtils__/isolationModes.ts';
import type { Job } from '../jobs/Job.ts';

const report = (cases: string) =>
  `mkdir -p out; printf '%s' '<testsuites><testsuite name="s">${cases}</testsuite></testsuites>' > out/report.xml`;
const PASSED = '<testcase name="a" classname="s"/>';
const FAILED = `${PASSED}<testcase name="b"><failure message="1 &lt; 2"/></testcase>`;

describe.each(isolationModes)('a result with isolation %s', mode => {
  let bench: Bench;
  let client: BuildClient;

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

  const PARALLEL: Job = {
    name: 'parallel',
    steps: [
      { name: 'Long', run: 'sleep 60' },
      { name: 'Short', run: 'exit 1', needs: [] },
    ],
  };

  const LENIENT: Job = {
    name: 'lenient',
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
  };

  // Each test builds a job of its own.
  beforeAll(async () => {
    bench = await Bench.open(mode);
    client = await bench.start([
      PARALLEL,
      LENIENT,
      ...ENDS.map(([run, more], index) =>
        jobOf(run, { name: `ends-${index}`, ...more }),
      ),
      ...TESTED.map(([run], index) =>
        jobOf(run, { name: `tested-${index}`, junit: ['out/*.xml'] }),
      ),
    ]);
  });

  afterAll(() => bench.close());

  it.each(ENDS.map((one, index) => [...one, `ends-${index}`] as const))(
    'of %s %o is %s',
    async (_run, _more, result, reason, job) => {
      const build = await client.build(job);
      expect(build).toMatchObject({ result, reason });
      expect(build.steps).toMatchObject([{ state: 'failed' }]);
      expect(await client.log(`/job/${job}/1/`)).not.toContain('not reached');
    },
  );

  it('shows that a step has ended while another still runs', async () => {
    const build = await client.started(await client.trigger('parallel'));
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

  it('is unstable where a step may fail, and later steps run', async () => {
    const build = await client.build('lenient');
    expect(build).toMatchObject({
      result: 'UNSTABLE',
      steps: [
        { name: 'Lint', state: 'warning' },
        { state: 'warning', message: 'it timed out after 1 seconds' },
        { name: 'Build', state: 'done' },
      ],
    });
  });

  it.each(TESTED.map((one, index) => [...one, `tested-${index}`] as const))(
    'of %s is %s by its tests',
    async (_run, result, reason, tests, job) => {
      const build = await client.build(job);
      expect(build).toMatchObject({ result, reason });
      expect(build).toMatchObject({ tests });
    },
  );
});
