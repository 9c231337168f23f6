import { Condition } from './Condition.ts';
import { globsMatchingAny } from './globs.ts';

async function asks(text: string, files?: string[]): Promise<boolean> {
  const condition = new Condition(text, ['branch']);
  const { signal } = new AbortController();
  const changed =
    files &&
    (await globsMatchingAny({ files, globs: condition.globs, signal }));
  return condition.isMet({ branch: 'main' }, changed);
}

it.each([
  ["changed('packages/cart/**')", true],
  ["changed('docs/**', 'yarn.lock')", true],
  ["changed('docs/**')", false],
  ["!changed('docs/**') && branch == 'main'", true],
  ["branch == 'other' || changed('*.ts')", false],
])('asks for changed files: %s', async (text, expected) => {
  const files = ['packages/cart/src/cart.ts', 'yarn.lock'];
  expect(await asks(text, files)).toBe(expected);
});

it('counts everything as changed if that is unknown', async () => {
  expect(await asks("changed('docs/**')")).toBe(true);
  expect(await asks("changed('docs/**')", [])).toBe(false);
});

it('tells which changed files it asks for', () => {
  const { globs } = new Condition("changed('a', 'b') || changed('c')", []);
  expect(globs).toEqual(['a', 'b', 'c']);
  expect(new Condition("branch == 'changed'", ['branch']).globs).toEqual([]);
});

it.each([
  'changed',
  'changed()',
  "changed('a'",
  "changed(['a'])",
  "changes('a')",
])('does not accept %s', async text => {
  await expect(asks(text)).rejects.toThrow();
});
