import { expressionSize } from './expressionSize.ts';

it.each([
  ['', 0],
  ['^a.c$', 5],
  ['a*b+c?|d', 8],
  ['a{3}', 3],
  ['a{3,}', 3],
  ['a{2,5}b', 6],
  ['a{', 2],
  ['a{x}', 4],
  ['(ab){3}c', 10],
  ['((a{2}b){3}c){4}', 56],
  ['(?i)a(?:b){2}(?P<name>c){3}(?<n>d)', 13],
  ['[^]a-z[:digit:]\\]]{7}', 7],
  [String.raw`\d\pL\p{Greek}{9}\x{10FFFF}\{3}`, 15],
  [String.raw`\Qa{9}b\E{2}`, 10],
  ['(', 0],
  ['a)', 2],
  ['(ab)*{100}', 400],
  ['(ab)(?i){1000}', 3_000],
  [String.raw`(ab)\Q\E(?-s){1000}`, 3_000],
  ['(a{1000}){1000}', 1_001_000],
])('counts the parts of %s: %d', (text, size) => {
  expect(expressionSize(text)).toBe(size);
});

it.each([
  ['(){1000}', 124, 124_000],
  ['(()*){1000}', 90, 270_000],
  ['(|||||||||){1000}', 58, 580_000],
])('counts empty parts, as engines do: %s %d times', (text, times, size) => {
  expect(expressionSize(text.repeat(times))).toBe(size);
});
