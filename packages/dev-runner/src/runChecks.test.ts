import { PassThrough } from 'node:stream';
import { LastLines, runChecks, summary } from './runChecks.ts';

describe('LastLines', () => {
  it('keeps the last ones, whatever pieces they arrive in', () => {
    const kept = new LastLines(2);
    for (const piece of ['one\ntw', 'o\nth', 'ree\n']) {
      kept.add(piece);
    }

    expect(kept.lines).toEqual(['two', 'three']);
  });

  it('counts the line that has no end yet', () => {
    const kept = new LastLines(2);
    kept.add('one\ntwo\nthr');

    expect(kept.lines).toEqual(['two', 'thr']);
  });

  it('has nothing to tell of nothing', () => {
    expect(new LastLines(2).lines).toEqual([]);
  });
});

/** A stand-in for yarn: the script "bad" fails, "slow" takes a minute. */
const fakeYarn = `
  const script = process.argv.at(-1);
  if (script === 'slow') setTimeout(() => {}, 60_000);
  else if (script === 'bad') { console.error('what broke'); process.exitCode = 1; }
  else console.log('fine');
`;
const options = {
  command: [process.execPath, '-e', fakeYarn, '--'] as [string, ...string[]],
  cwd: process.cwd(),
  say: () => {},
  output: new PassThrough().resume(),
};

describe('runChecks', () => {
  it('runs every script in order, also after one has failed', async () => {
    const results = await runChecks({ ...options, scripts: ['a', 'bad', 'c'] });

    expect(results.map(({ script, ok }) => [script, ok])).toEqual([
      ['a', true],
      ['bad', false],
      ['c', true],
    ]);
  });

  it('shows what the scripts print, and keeps the end of one that failed', async () => {
    const output = new PassThrough({ encoding: 'utf8' });
    const results = await runChecks({
      ...options,
      output,
      scripts: ['a', 'bad'],
    });

    expect(output.read()).toBe('fine\nwhat broke\n');
    expect(results.map(({ lastLines }) => lastLines)).toEqual([
      undefined,
      ['what broke'],
    ]);
  });

  it('counts a program that cannot be started as failed', async () => {
    const results = await runChecks({
      ...options,
      command: ['no-such-program'],
      scripts: ['a'],
    });

    expect(results.map(({ ok }) => ok)).toEqual([false]);
  });

  it('ends the running script and leaves the rest out when it is stopped', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 200);
    const results = await runChecks({
      ...options,
      scripts: ['slow', 'a'],
      signal: abort.signal,
    });

    expect(results.map(({ script, ok }) => [script, ok])).toEqual([
      ['slow', false],
    ]);
  });
});

const results = [
  { script: 'test', ok: true, durationMs: 83_400 },
  { script: 'lint', ok: false, durationMs: 4_120 },
];

describe('summary', () => {
  it('gives every check its result and duration, and counts on the last line', () => {
    expect(summary(results, 2).split('\n')).toEqual([
      '',
      '  ok      test  1 min 23 s',
      '  failed  lint  4.1 s',
      '',
      '1 passed, 1 failed',
    ]);
  });

  it('repeats how the failed ones ended, above the results', () => {
    const [passed, failed] = results;

    expect(
      summary([passed, { ...failed, lastLines: ['what broke'] }], 2),
    ).toMatch(/^\n── how yarn lint ended\nwhat broke\n\n {2}ok {6}test/);
  });

  it('counts what did not run any more', () => {
    expect(summary(results, 5)).toMatch(/\n1 passed, 1 failed, 3 skipped$/);
  });
});
