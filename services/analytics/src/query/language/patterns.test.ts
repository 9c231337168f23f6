import { whatIsMissing, whatIsUnsafe } from './patterns.ts';

it.each([
  '(a|a)*b{17}',
  '(a|a){1,40}b',
  '(a|a){17,}b',
  'b{17}(?:a|a)+',
  '(?:x(a|a))*b{1,17}',
  '(aa?)*b{17}',
  // V8 unrolls this repetition 17 times.
  '(a?){16,}b',
])('refuses %s, for which V8 would backtrack without a limit', pattern => {
  expect(whatIsUnsafe(pattern)).toBe(
    'repeats alternatives in a pattern with a count above 16',
  );
});

it.each(['(a+)+$', '(?:a{2})*', '(a+){1,100000}b'])(
  'refuses %s, which nests repetitions',
  pattern => {
    expect(whatIsUnsafe(pattern)).toBe(
      'repeats a group in which something repeats',
    );
  },
);

it.each([
  '\\d{1,20}',
  '[0-9a-f]{32}',
  '^/(?:users|orders)/[0-9a-f]{32}(?:/|$)',
  '(?:ab){20}',
  '(\\?[|?])*b{17}',
  '(a|b)*c{16}',
  '(a|b){1,16}',
  '(a|a)*b',
])('allows %s', pattern => {
  expect(whatIsUnsafe(pattern)).toBeUndefined();
});

it.each([
  ['\\0', 'a', undefined],
  ['\\1\\2', '(a)|(b)', undefined],
  ['\\1', '(?:a)', 'refers to \\1, but the pattern has fewer groups'],
  ['\\1-\\2', '(a)', 'refers to \\2, but the pattern has fewer groups'],
  // An escaped backslash before a digit.
  ['\\\\1', 'a', undefined],
])('says which group of %s is not in %s', (replacement, pattern, wrong) => {
  expect(whatIsMissing(replacement, pattern)).toBe(wrong);
});
