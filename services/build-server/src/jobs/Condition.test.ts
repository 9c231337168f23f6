import { Condition } from './Condition.ts';

const asks = (text: string, changed?: string[]) =>
  new Condition(text, ['branch']).isMet({ branch: 'main' }, changed);

it.each([
  ["changed('packages/cart/**')", true],
  ["changed('docs/**', 'yarn.lock')", true],
  ["changed('docs/**')", false],
  ["!changed('docs/**') && branch == 'main'", true],
  ["branch == 'other' || changed('*.ts')", false],
])('asks for changed files: %s', (text, expected) => {
  expect(asks(text, ['packages/cart/src/cart.ts', 'yarn.lock'])).toBe(expected);
});

it('counts everything as changed if that is unknown', () => {
  expect(asks("changed('docs/**')")).toBe(true);
  expect(asks("changed('docs/**')", [])).toBe(false);
});

it('tells whether it asks for changed files', () => {
  expect(new Condition("changed('a')", []).usesChanges).toBe(true);
  expect(new Condition("branch == 'changed'", ['branch']).usesChanges).toBe(
    false,
  );
});

it.each([
  'changed',
  'changed()',
  "changed('a'",
  "changed(['a'])",
  "changes('a')",
])('does not accept %s', text => {
  expect(() => asks(text)).toThrow();
});
