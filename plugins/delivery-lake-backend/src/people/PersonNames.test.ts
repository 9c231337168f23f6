import {
  aChange,
  aDeployment,
  anIncident,
} from '../storage/__testUtils__/events';
import { PersonNames } from './PersonNames';

const ada = new PersonNames(['Ada Lovelace', 'ada@example.org', 'will']);

it.each([
  'ADA LOVELACE',
  ' ada  lovelace ',
  'Ada Lovelace <someone@example.org>',
  'A. L. <ADA@example.org>',
  'Will',
  'Fix it\n\nCo-authored-by: Ada Lovelace <x@example.org>',
  'Signed-off-by: will',
  'Signed-off-by: Will <x@example.org>',
  'Thanks to @will!',
  'Ask [~will]',
  'user:default/will',
  'Started by user:default/will.',
  'Co-authored-by: W. <7+will@users.noreply.github.com>',
  { commits: [{ author: { email: 'ada@example.org' } }] },
])('recognises %o', value => {
  expect(ada.isIn(value)).toBe(true);
});

it.each([
  'Ada',
  'Ada Lovelaces',
  'canada@example.org',
  'This will fail',
  '@willow',
  '@will-i-am and @will_i',
  'Reviewed-by: Will Smith',
  'bob@will.example',
  'user:default/will-i-am',
  'maria.ada@example.org',
  'ada@example.org.uk',
  '',
  7,
  null,
  { will: ['no', { 'Ada Lovelace': 1 }] },
])('does not recognise %o', value => {
  expect(ada.isIn(value)).toBe(false);
});

it('takes every character of a name literally', () => {
  const odd = new PersonNames(['a.d-a (x) [bot]', 'c+d@example.org']);
  expect(odd.isIn('by A.D-A (X) [bot]')).toBe(true);
  expect(odd.isIn('c+d@example.org')).toBe(true);
  expect(odd.isIn('ccd@example.org')).toBe(false);
});

it('empties the fields of people, and replaces names in texts', () => {
  expect(
    ada.removeFrom(
      aChange({ author: 'Ada Lovelace', message: 'Fix, thanks @will' }),
    ),
  ).toEqual(aChange({ author: '', message: 'Fix, thanks @…' }));
  expect(
    ada.removeFrom(
      aDeployment({
        triggeredBy: 'will',
        version: 'will',
        commit: { sha: 'abcdef0', author: 'Bob', message: 'ada@example.org' },
      }),
    ),
  ).toEqual(
    aDeployment({
      triggeredBy: '',
      version: 'will',
      commit: { sha: 'abcdef0', author: 'Bob', message: '…' },
    }),
  );
  expect(
    ada.removeFrom(anIncident({ title: 'Ada  Lovelace is paged' })),
  ).toEqual(anIncident({ title: '… is paged' }));
});

it('recognises accents in both forms, and leaves those of others as they are', () => {
  const jose = new PersonNames(['Jos\u00e9 P\u00e9rez']);
  const decomposed = 'Jose\u0301 Pe\u0301rez';
  expect(jose.isIn(`By ${decomposed}.`)).toBe(true);
  const message = (text: string) =>
    jose.removeFrom(aChange({ author: 'Bob', message: text }));
  expect(message(`By ${decomposed}.`)).toMatchObject({ message: 'By ….' });
  const other = 'By Rene\u0301.';
  expect(message(other)).toMatchObject({ message: other });
});

it('replaces a text that consists of a login, and logins given as mentions or refs', () => {
  const max = new PersonNames(['@max', 'user:default/mm']);
  expect(max.removeFrom(anIncident({ title: 'max' }))).toMatchObject({
    title: '…',
  });
  expect(max.isIn('Max')).toBe(true);
  expect(max.isIn('By user:default/mm, @max')).toBe(true);
  expect(max.isIn('By user:default/mmm')).toBe(false);
});

it('distinguishes texts that must mean the person from fields that consist of a login', () => {
  expect(
    ada.usesIn({
      ref: 'will',
      commits: [{ author: { username: 'Will' } }],
      branches: ['main', 'will'],
      head: { ref: 'will' },
    }),
  ).toEqual({
    isNamed: false,
    fields: [
      { login: 'will', field: 'ref' },
      { login: 'will', field: 'branches' },
      { login: 'will', field: 'username' },
    ],
  });
  expect(ada.usesIn('will').fields).toEqual([{ login: 'will', field: '' }]);
  expect(ada.usesIn({ by: 'Ada Lovelace', to: '@will' })).toEqual({
    isNamed: true,
    fields: [],
  });
  expect(ada.usesIn({ by: 'user:default/will' }).isNamed).toBe(true);
  const key = 'k'.repeat(1_000);
  expect(ada.usesIn({ [key]: 'will' }).fields).toEqual([
    { login: 'will', field: key.slice(0, 100) },
  ]);
  expect(ada.usesIn({ message: 'This will fail' })).toEqual({
    isNamed: false,
    fields: [],
  });
});

it('reads bodies that are nested deeply', () => {
  const depth = 200_000;
  const body: unknown = JSON.parse(
    `${'['.repeat(depth)}"will"${']'.repeat(depth)}`,
  );
  expect(ada.isIn(body)).toBe(true);
});
