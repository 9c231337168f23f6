import { LineSplitter } from './LineSplitter.ts';

function collect() {
  const lines: string[] = [];
  return { lines, splitter: new LineSplitter(line => lines.push(line)) };
}

describe('LineSplitter', () => {
  afterEach(() => vi.useRealTimers());

  it('joins a line that arrives in pieces', () => {
    const { lines, splitter } = collect();
    splitter.write('star');
    splitter.write('ting\nrea');
    splitter.write('dy\r\n');

    expect(lines).toEqual(['starting', 'ready']);
  });

  it('shows a line without an end after a while', () => {
    vi.useFakeTimers();
    const { lines, splitter } = collect();
    splitter.write('Continue? ');
    expect(lines).toEqual([]);

    vi.advanceTimersByTime(1_000);
    expect(lines).toEqual(['Continue? ']);
  });

  it('gives out the rest when it is flushed, once', () => {
    const { lines, splitter } = collect();
    splitter.write('last words');
    splitter.flush();
    splitter.flush();

    expect(lines).toEqual(['last words']);
  });

  it('keeps only the last state of a progress line', () => {
    const { lines, splitter } = collect();
    splitter.write('10%\r50%\r100%\n');

    expect(lines).toEqual(['100%']);
  });
});
