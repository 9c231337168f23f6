import { LastLines } from './LastLines.ts';

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
