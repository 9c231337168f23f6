import { mkdtempSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { LastLines, runChecks, summary } from './runChecks.ts';

describe('LastLines', () => {
  it('keeps the last ones, however they are split', () => {
    const kept = new LastLines(2);
    for (const piece of ['one\ntw', 'o\nth', 'ree\n']) {
      kept.add(piece);
    }

    expect(kept.lines).toEqual(['two', 'three']);
  });

  it('includes an incomplete line', () => {
    const kept = new LastLines(2);
    kept.add('one\ntwo\nthr');

    expect(kept.lines).toEqual(['two', 'thr']);
  });

  it('has no lines without input', () => {
    expect(new LastLines(2).lines).toEqual([]);
  });
});

/**
 * A fake yarn: the script "bad" fails, "slow" takes a minute, "waiting" ends once "release" has run,
 * "priority" prints its own.
 */
const fakeYarn = `
  const script = process.argv.at(-1);
  if (script === 'slow') setTimeout(() => {}, 60_000);
  else if (script === 'bad') { console.error('what broke'); process.exitCode = 1; }
  else if (script === 'release') fs.writeFileSync('released', '');
  else if (script === 'waiting') setInterval(() => fs.existsSync('released') && process.exit(), 10);
  else if (script === 'priority') console.log(os.getPriority());
  else console.log('fine');
`;
const rowOf = (...scripts: string[]) => [{ scripts }];

const options = {
  command: [process.execPath, '-e', fakeYarn, '--'] as [string, ...string[]],
  cwd: process.cwd(),
  say: () => {},
  output: new PassThrough().resume(),
};

describe('runChecks', () => {
  it('runs every script in order, even after a failure', async () => {
    const results = await runChecks({
      ...options,
      rows: rowOf('a', 'bad', 'c'),
    });

    expect(results.map(({ script, ok }) => [script, ok])).toEqual([
      ['a', true],
      ['bad', false],
      ['c', true],
    ]);
  });

  it('shows the output of the scripts, and keeps the end of a failed one', async () => {
    const output = new PassThrough({ encoding: 'utf8' });
    const results = await runChecks({
      ...options,
      output,
      rows: rowOf('a', 'bad'),
    });

    expect(output.read()).toBe('fine\nwhat broke\n');
    expect(results.map(({ lastLines }) => lastLines)).toEqual([
      undefined,
      ['what broke'],
    ]);
  });

  it('runs others in parallel, and shows their output when they end', async () => {
    const output = new PassThrough({ encoding: 'utf8' });
    const said: string[] = [];
    const abort = new AbortController();
    const results = runChecks({
      ...options,
      output,
      say: text => {
        said.push(text.trim());
        if (said.length === 3) {
          abort.abort();
        }
      },
      rows: [...rowOf('slow', 'c'), ...rowOf('a', 'bad')],
      signal: abort.signal,
    });

    expect((await results).map(({ script, ok }) => [script, ok])).toEqual([
      ['slow', false],
      ['a', true],
      ['bad', false],
    ]);
    expect(said.slice(0, 3)).toEqual([
      '── yarn slow',
      '── yarn a, which ran meanwhile',
      '── yarn bad, which ran meanwhile',
    ]);
    expect(output.read()).toBe('fine\nwhat broke\n');
  });

  it('leaves the processor to other rows', async () => {
    const output = new PassThrough({ encoding: 'utf8' });
    await runChecks({
      ...options,
      output,
      rows: [...rowOf('a'), { scripts: ['priority'], yields: true }],
    });

    expect(output.read()).toMatch(/^10$/m);
  });

  it('gives rows that do not yield the same processor time', async () => {
    const output = new PassThrough({ encoding: 'utf8' });
    await runChecks({
      ...options,
      output,
      rows: [...rowOf('priority'), ...rowOf('priority')],
    });

    expect(output.read()).toBe(`${getPriority()}\n`.repeat(2));
  });

  it('continues with a row while others still run', async () => {
    const cwd = mkdtempSync(path.join(tmpdir(), 'checks-'));
    const said: string[] = [];
    const results = await runChecks({
      ...options,
      cwd,
      say: text => said.push(text.trim()),
      rows: [...rowOf('a', 'release'), ...rowOf('waiting', 'bad', 'c')],
    });
    rmSync(cwd, { recursive: true });

    expect(results.map(({ script, ok }) => [script, ok])).toEqual([
      ['a', true],
      ['release', true],
      ['waiting', true],
      ['bad', false],
      ['c', true],
    ]);
    expect(said).toEqual([
      '── yarn a',
      '── yarn release',
      '── yarn waiting, which ran meanwhile',
      '── yarn bad, which ran meanwhile',
      '── yarn c, which ran meanwhile',
    ]);
  });

  it('counts a program that cannot be started as failed', async () => {
    const results = await runChecks({
      ...options,
      command: ['no-such-program'],
      rows: rowOf('a'),
    });

    expect(results.map(({ ok }) => ok)).toEqual([false]);
  });

  it('ends the running script and skips the rest when stopped', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 200);
    const results = await runChecks({
      ...options,
      rows: rowOf('slow', 'a'),
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
  it('lists every check with result and duration, and counts them on the last line', () => {
    expect(summary(results, 2).split('\n')).toEqual([
      '',
      '  ok      test  1 min 23 s',
      '  failed  lint  4.1 s',
      '',
      '1 passed, 1 failed',
    ]);
  });

  it('repeats the end of failed output above the results', () => {
    const [passed, failed] = results;

    expect(
      summary([passed, { ...failed, lastLines: ['what broke'] }], 2),
    ).toMatch(/^\n── how yarn lint ended\nwhat broke\n\n {2}ok {6}test/);
  });

  it('counts checks that were not run', () => {
    expect(summary(results, 5)).toMatch(/\n1 passed, 1 failed, 3 skipped$/);
  });
});
