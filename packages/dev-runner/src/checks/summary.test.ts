import { summary } from './summary.ts';

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
