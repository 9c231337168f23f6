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

  it('counts what did not run any more', () => {
    expect(summary(results, 5)).toMatch(/\n1 passed, 1 failed, 3 skipped$/);
  });
});
