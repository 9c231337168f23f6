import { readLines } from './ansi';

it('makes classes of colours, over the ends of lines', () => {
  const [first, second] = readLines([
    '\u001b[1;32mgreen',
    'still\u001b[0m not',
  ]);
  expect(first).toEqual([{ text: 'green', classes: ['ansi-green', 'bold'] }]);
  expect(second).toEqual([
    { text: 'still', classes: ['ansi-green', 'bold'] },
    { text: ' not', classes: [] },
  ]);
});

it('makes marks of backgrounds', () => {
  const [line] = readLines(['\u001b[41;97m FAIL \u001b[0m cart']);
  expect(line).toEqual([
    { text: ' FAIL ', classes: ['ansi-red', 'marked'] },
    { text: ' cart', classes: [] },
  ]);
});

it.each([
  ['\u001b[38;5;208morange', '255, 135, 0'],
  ['\u001b[38;5;240mgrey', '88, 88, 88'],
  ['\u001b[38;2;10;200;30mtrue', '10, 200, 30'],
  ['\u001b[38:2::10:200:30mtrue', '10, 200, 30'],
  ['\u001b[38:2:10:200:30mtrue', '10, 200, 30'],
  ['\u001b[1;38:5:208mbold', '255, 135, 0'],
])('keeps the colour of %j, which has no class', (line, colour) => {
  const [[span]] = readLines([line]);
  expect(span).toMatchObject({
    colour,
    classes: expect.arrayContaining(['exact']),
  });
});

it('shows a background of such a colour as a mark', () => {
  const [line] = readLines([
    '\u001b[48;5;196;38;5;231m FAIL \u001b[49;39m cart',
  ]);
  expect(line).toEqual([
    { text: ' FAIL ', classes: ['exact', 'marked'], colour: '255, 0, 0' },
    { text: ' cart', classes: [] },
  ]);
});

it('carries colours over any number of lines that never reset them all', () => {
  const lines = Array.from(
    { length: 100 },
    (_, index) => `\u001b[1m\u001b[3${index % 8}mok\u001b[39m\u001b[22m`,
  );
  const read = readLines([...lines, '\u001b[36mlast', 'still']);
  expect(
    read.slice(0, 100).map(spans => spans.map(({ text }) => text)),
  ).toEqual(lines.map(() => ['ok']));
  expect(read.at(-1)).toEqual([{ text: 'still', classes: ['ansi-cyan'] }]);
});

it('keeps the colours that an overwritten text has set', () => {
  const [line] = readLines(['\u001b[32m10 %\r50 %\u001b[0m done']);
  expect(line).toEqual([
    { text: '50 %', classes: ['ansi-green'] },
    { text: ' done', classes: [] },
  ]);
});

it.each([
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['\u001b]8;;javascript:alert(1)\u0007link\u001b]8;;\u0007', 'link'],
  ['\u001b[2J\u001b[1;1Hclear', 'clear'],
  ['10 %\r50 %\r100 %', '100 %'],
  ['a\u0000b\u0007c', 'abc'],
  ['\u001b(B\u001b[mplain', 'plain'],
  ['\u001b[58:2::255:0:0mplain\u001b[59m', 'plain'],
])('shows %j as text and nothing else', (line, text) => {
  const [spans] = readLines([line]);
  expect(spans.map(span => span.text).join('')).toBe(text);
  expect(spans.flatMap(({ classes }) => classes)).toEqual([]);
});

it('detects web addresses in text', () => {
  const [line] = readLines(['See https://example.org/a?b=1. javascript:x']);
  expect(line).toEqual([
    { text: 'See ', classes: [] },
    {
      text: 'https://example.org/a?b=1',
      classes: [],
      href: 'https://example.org/a?b=1',
    },
    { text: '. javascript:x', classes: [] },
  ]);
});

it('shows the underlines of a newer standard', () => {
  const [line] = readLines(['\u001b[4:3mspelling\u001b[4:0m rest']);
  expect(line).toEqual([
    { text: 'spelling', classes: ['underline'] },
    { text: ' rest', classes: [] },
  ]);
});
