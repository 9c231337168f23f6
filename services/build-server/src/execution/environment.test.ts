import { existsSync } from 'node:fs';
import path from 'node:path';
import { Bench, jobOf } from '../__testUtils__/Bench.ts';
import { isolationModes } from '../__testUtils__/isolationModes.ts';

let bench: Bench;

afterEach(() => bench.close());

describe.each(isolationModes)('an environment with isolation %s', mode => {
  beforeEach(async () => {
    bench = await Bench.open(mode);
  });

  it('contains nothing of the server', async () => {
    process.env.SERVER_SECRET = 'do-not-tell';
    const client = await bench.start([
      jobOf('env | sort', { environment: { COLOUR: 'blue' } }),
    ]);
    await client.build('job');
    delete process.env.SERVER_SECRET;
    const names = (await client.log('/job/job/1/'))
      .split('\n')
      .flatMap(line => /^(\w+)=/.exec(line)?.[1] ?? []);
    expect(names).toEqual([
      'BUILD_ID',
      'BUILD_NUMBER',
      'BUILD_URL',
      'CI',
      'COLOUR',
      'HOME',
      'JOB_NAME',
      'LANG',
      'PATH',
      'PWD',
      'SLIPWAY_BUILD_MARK',
      'TMPDIR',
      'WORKSPACE',
    ]);
  });

  it('has the number of the build as its id, as in Jenkins', async () => {
    const client = await bench.start([
      jobOf('true', { name: 'other' }),
      jobOf('echo "$BUILD_ID of $JOB_NAME"'),
    ]);
    await client.build('other');
    await client.build('job');
    expect(await client.log('/job/job/1/')).toContain('1 of job\n');
  });

  it('has parameters as values that no shell reads', async () => {
    const marker = path.join(bench.scratch, 'injected');
    const hostile = [
      `"; touch ${marker}; echo "`,
      `$(touch ${marker})`,
      `\`touch ${marker}\``,
      `' && touch ${marker} #`,
      `\n touch ${marker}\n`,
      '../../../etc/passwd',
      '-n -e --help',
      '\u001b[2J$PATH',
    ];
    const client = await bench.start([
      jobOf('printf "<%s>" "$VALUE"', {
        parameters: [{ name: 'VALUE' }],
        concurrent: true,
      }),
    ]);
    for (const [index, value] of hostile.entries()) {
      await client.build('job', { VALUE: value });
      expect(await client.log(`/job/job/${index + 1}/`)).toContain(
        `<${value}>`,
      );
    }
    expect(existsSync(marker)).toBe(false);
  });
});
