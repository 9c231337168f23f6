import { expressionSize } from './expressionSize.ts';

it.each([
  ['', 0],
  ['^a.c$', 5],
  ['a*b+c?|d', 4],
  ['a{3}', 3],
  ['a{3,}', 3],
  ['a{2,5}b', 6],
  ['a{', 2],
  ['a{x}', 4],
  ['(ab){3}c', 7],
  ['((a{2}b){3}c){4}', 40],
  ['(?i)a(?:b){2}(?P<name>c){3}(?<n>d)', 7],
  ['[^]a-z[:digit:]\\]]{7}', 7],
  [String.raw`\d\pL\p{Greek}{9}\x{10FFFF}\{3}`, 15],
  [String.raw`\Qa{9}b\E{2}`, 10],
  ['(', 0],
  ['a)', 2],
  ['(a{1000}){1000}', 1_000_000],
])('counts the parts of %s: %d', (text, size) => {
  expect(expressionSize(text)).toBe(size);
});
