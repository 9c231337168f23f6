import { setImmediate } from 'node:timers/promises';
import { StepSecrets } from '../secrets/StepSecrets.ts';
import { checkJob } from './checkJob.ts';
import { globFault, globsMatchingAny, matchesGlob } from './globs.ts';

const SLOW = '*a*a*a*a*a*a*a*a*b';

it.each([
  SLOW,
  '+(a|a)b',
  '!(a)',
  '**/a/**/a/**/a/**/b',
  '{a,b}{a,b}{a,b}{a,b}{a,b}',
  '{*a,{*b,*a*a}}*c',
  '*a*{x,*y}/z',
  '{1..999999}',
  '${*a*a,*a*a,*a*a}',
  '{x}{*a*a,*a\n*a}',
  '{**/a/**/b/**/c,d}',
  '{*}{*}{*}{*}',
  '*{}*{}*{}*{}*',
  '{+,x}(a|a)b',
  '{x},+}(a|a)b',
  '+{(,x}a|a)b',
])('refuses %s, which could take very long', glob => {
  expect(globFault(glob)).toMatch(/^could take too long to match: /);
});

it.each([
  'dist/*.tgz',
  '**/build/reports/**/*.xml',
  'packages/**',
  '*-*-*',
  'src/{a*,b*,c*}/**/*.{ts,tsx,js,jsx}',
  '{**/*.ts,**/*.tsx,**/*.js}',
  '{src/**/*-*.ts,test/**/*-*.ts}',
  '[ab]?.txt',
  '.*/**/.*',
])('accepts %s', glob => {
  expect(globFault(glob)).toBeUndefined();
});

it('names every field whose glob is refused', () => {
  const job = {
    name: 'job',
    source: { repository: 'https://forge.example.org/x.git' },
    steps: [
      { name: 'A', run: 'true', if: `branch =~ '${SLOW}'` },
      { name: 'B', run: 'true', if: `changed('a', '${SLOW}')` },
    ],
    junit: ['*.xml', SLOW],
    artifacts: [SLOW],
    cache: [{ name: 'c', files: [SLOW], paths: ['a'] }],
    artifactsFrom: [{ job: 'other', files: [SLOW] }],
    webhook: { token: 'token', refs: [SLOW] },
  };
  const checked = checkJob(job, {
    secrets: { has: () => true },
    stepSecrets: new StepSecrets({}),
    isProduction: false,
  });
  expect('faults' in checked && checked.faults.map(({ at }) => at)).toEqual([
    'steps.0.if',
    'steps.1.if',
    'junit.1',
    'artifacts.0',
    'cache.0.files.0',
    'artifactsFrom.0.files.0',
    'webhook.refs.0',
  ]);
});

it('matches no text that is longer than a path can be', () => {
  expect(matchesGlob('a'.repeat(4_096), '*')).toBe(true);
  expect(matchesGlob('a'.repeat(4_097), '*')).toBe(false);
  expect(matchesGlob('a/'.repeat(100), '**')).toBe(false);
});

const matching = (files: string[], globs: string[], signal?: AbortSignal) =>
  globsMatchingAny({
    ...{ files, globs },
    signal: signal ?? new AbortController().signal,
  });

it.each([
  ['**', true],
  ['cart/**', true],
  ['./cart/*/.npmrc', true],
  ['cart/a/*', true],
  ['cart/{a,b}/.npm*', true],
  ['**/*.{yaml,yml}', true],
  ['.slipway/*', true],
  ['[.c]art/**', true],
  ['[.]slipway/**', true],
  ['cart/a/[._]npm*', true],
  ['[!.]slipway/**', false],
  ['[.]art/**', false],
  ['cart', false],
  ['carts/**', false],
  ['cart/a', false],
  ['/cart/**', false],
  ['*', false],
])('finds hidden files and others by %s: %s', async (glob, isFound) => {
  const files = ['cart/b', 'shop/x', 'cart/a/.npmrc', '.slipway/ci.yaml'];
  const found = await matching(files, ['none/**', glob]);
  expect(found).toEqual(new Set(isFound ? [glob] : []));
});

it('lets other work continue while it compares very many files, up to a limit', async () => {
  const files = Array.from({ length: 2_000 }, (_, index) => `${index}/x.ts`);
  let isDone = false;
  let turns = 0;
  const other = (async () => {
    for (; !isDone; turns += 1) {
      await setImmediate();
    }
  })();
  expect(await matching(files, ['**/*.md'])).toEqual(new Set());
  isDone = true;
  await other;
  expect(turns).toBeGreaterThan(3);
  const { signal } = new AbortController();
  const few = (globs: string[]) =>
    globsMatchingAny({ files, globs, maxMatches: 4_000, signal });
  const many = Array.from({ length: 3 }, (_, index) => `**/${index}.md`);
  expect(await few(many.slice(1))).toEqual(new Set());
  expect(await few(many)).toBeUndefined();
  await expect(
    matching(files, many, AbortSignal.abort('stopped')),
  ).rejects.toBe('stopped');
  // Globs that begin with a literal name are matched immediately.
  const folders = files.map(file => file.replace('x.ts', '*.md'));
  expect(await few(folders)).toEqual(new Set());
});

it('compares no more files than take seconds', async () => {
  const files = Array.from({ length: 100_001 }, () => 'x');
  expect(await matching(files, ['none'])).toBeUndefined();
});
