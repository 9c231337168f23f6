import { PassThrough } from 'node:stream';
import { runChecks } from './runChecks.ts';

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
