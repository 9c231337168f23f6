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
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['\u001b]8;;javascript:alert(1)\u0007link\u001b]8;;\u0007', 'link'],
  ['\u001b[2J\u001b[1;1Hclear', 'clear'],
  ['10 %\r50 %\r100 %', '100 %'],
  ['a\u0000b\u0007c', 'abc'],
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
