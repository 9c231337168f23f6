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
  'Thanks to @will!',
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
