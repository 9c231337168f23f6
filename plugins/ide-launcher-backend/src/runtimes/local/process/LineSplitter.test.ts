import { LineSplitter } from './programs';

function split(chunks: (string | Buffer)[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter(line => lines.push(line));
  chunks.forEach(chunk => splitter.write(Buffer.from(chunk)));
  splitter.end();
  return lines;
}

describe('LineSplitter', () => {
  it('splits lines regardless of chunks, including empty ones', () => {
    expect(split(['one\ntw', 'o\r', '\n\nprogress 1\rprogress 2\r'])).toEqual([
      'one',
      'two',
      '',
      'progress 1',
      'progress 2',
    ]);
  });

  it('keeps a character intact that is split between chunks', () => {
    const text = Buffer.from('é\n');
    expect(split([text.subarray(0, 1), text.subarray(1)])).toEqual(['é']);
  });

  it('passes on a line that never ends before it is over', () => {
    const lines: string[] = [];
    const splitter = new LineSplitter(line => lines.push(line));
    for (let chunk = 0; chunk < 64; chunk += 1) {
      splitter.write(Buffer.alloc(64 * 1024, 'x'));
    }
    expect(lines.length).toBeGreaterThan(1_000);
    expect(Math.max(...lines.map(line => line.length))).toBe(4_000);
  });
});
