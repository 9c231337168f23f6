import { findLines, LogLines } from './LogLines';

function linesOf(...parts: string[]) {
  const lines = new LogLines();
  parts.forEach(part => lines.add(part));
  return Array.from({ length: lines.count }, (_, index) => lines.at(index));
}

it('goes on with a line that came in parts', () => {
  expect(linesOf('on', 'e\ntw', 'o').map(([span]) => span.text)).toEqual([
    'one',
    'two',
  ]);
});

it('makes classes of colours, over the ends of lines', () => {
  const [first, second] = linesOf('\u001b[1;32mgreen\nstill\u001b[0m not\n');
  expect(first).toEqual([{ text: 'green', classes: ['ansi-green', 'bold'] }]);
  expect(second).toEqual([
    { text: 'still', classes: ['ansi-green', 'bold'] },
    { text: ' not', classes: [] },
  ]);
});

it('makes marks of backgrounds', () => {
  const [line] = linesOf('\u001b[41;97m FAIL \u001b[0m cart\n');
  expect(line).toEqual([
    { text: ' FAIL ', classes: ['ansi-red', 'marked'] },
    { text: ' cart', classes: [] },
  ]);
});

it('knows where parts of a build begin', () => {
  const lines = new LogLines();
  lines.add('==> Test\n\nok\n a ==> b\n');
  expect([0, 1, 2, 3].map(index => lines.isHeading(index))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

it.each([
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['\u001b]8;;javascript:alert(1)\u0007link\u001b]8;;\u0007', 'link'],
  ['\u001b[2J\u001b[1;1Hclear', 'clear'],
  ['10 %\r50 %\r100 %', '100 %'],
  ['a\u0000b\u0007c', 'abc'],
])('shows %j as text and nothing else', (line, text) => {
  const [spans] = linesOf(`${line}\n`);
  expect(spans.map(span => span.text).join('')).toBe(text);
  expect(spans.flatMap(({ classes }) => classes)).toEqual([]);
});

it('keeps the end of what is endless', () => {
  const lines = new LogLines();
  lines.add('line\n'.repeat(100_010));
  expect([lines.count, lines.dropped]).toEqual([100_000, 10]);
});

it('finds lines whatever their case', () => {
  const lines = new LogLines();
  lines.add('One\ntwo\n\u001b[31mo\u001b[0mne\n');
  expect(findLines(lines, 'ONE')).toEqual([0, 2]);
  expect(findLines(lines, '')).toEqual([]);
});
