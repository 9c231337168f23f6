import { InvalidRequestError } from '@slipway/service-kit';
import { readTree } from './tree.ts';

const build = (number: number) => ({
  _class: 'Build',
  number,
  result: 'SUCCESS',
  changeSet: { items: [{ msg: 'Fix', author: { fullName: 'Ada' } }] },
});
const job = {
  _class: 'Job',
  name: 'hello',
  color: 'blue',
  lastBuild: build(3),
  builds: [build(3), build(2), build(1)],
  actions: [
    {
      _class: 'Parameters',
      parameters: [{ name: 'BRANCH', value: 'main' }],
    },
  ],
  owner: null,
};

const pick = (tree: string, value: unknown = job) =>
  readTree(tree).prune(value);

it('selects the named fields, and the class of each object', () => {
  expect(pick('name,lastBuild[number]')).toEqual({
    _class: 'Job',
    name: 'hello',
    lastBuild: { _class: 'Build', number: 3 },
  });
});

it('returns a field without a selection whole, and omits missing ones', () => {
  expect(pick('lastBuild,owner,none[x]')).toEqual({
    _class: 'Job',
    lastBuild: job.lastBuild,
    owner: null,
  });
});

it.each([
  ['builds[number]{0,2}', [3, 2]],
  ['builds[number]{1,}', [2, 1]],
  ['builds[number]{,1}', [3]],
  ['builds[number]{1}', [2]],
  ['builds[number]{2,1}', []],
  ['builds[number]{9}', []],
  [' builds [ number ] { 0 , 2 } ', [3, 2]],
])('takes of a list what %s says', (tree, numbers) => {
  const { builds } = pick(tree) as { builds: { number: number }[] };
  expect(builds.map(({ number }) => number)).toEqual(numbers);
});

it('expands a star to all other fields', () => {
  expect(pick('*[number],lastBuild[result]')).toEqual({
    ...job,
    lastBuild: { _class: 'Build', result: 'SUCCESS' },
    builds: [3, 2, 1].map(number => ({ _class: 'Build', number })),
    actions: [{ _class: 'Parameters' }],
  });
});

it('accepts the requests of the Jenkins plugin of Backstage', () => {
  const tree =
    'jobs[actions[*],lastBuild[number,url,building,actions[*[*[*[*]]]]],jobs{0,1},url,name]{0,50}';
  expect(pick(tree, { jobs: [job], mode: 'NORMAL' })).toEqual({
    jobs: [
      {
        _class: 'Job',
        name: 'hello',
        actions: job.actions,
        lastBuild: { _class: 'Build', number: 3 },
      },
    ],
  });
});

it('merges repeated selections', () => {
  expect(pick('lastBuild[number],lastBuild[result]')).toEqual({
    _class: 'Job',
    lastBuild: { _class: 'Build', number: 3, result: 'SUCCESS' },
  });
});

it('returns whether a field is selected', () => {
  const tree = readTree('jobs[builds[number]]');
  expect(tree.child('jobs')?.child('builds')).toBeDefined();
  expect(tree.child('jobs')?.child('lastBuild')).toBeUndefined();
  expect(readTree('*').child('jobs')).toBeDefined();
  expect(readTree('name,*,jobs{1}').names()).toEqual(['name', '*', 'jobs']);
  expect(readTree('jobs').child('jobs')?.names()).toEqual([]);
});

it.each([
  ['', 1],
  ['a[', 3],
  ['a[b', 4],
  ['a[b]]', 5],
  ['a,,b', 3],
  ['a{x}', 3],
  ['a{}', 3],
  ['a{1,2', 6],
  ['a{-1}', 3],
  ['a b', 3],
  [']', 1],
])('refuses %j at character %i', (tree, at) => {
  expect(() => pick(tree)).toThrow(
    new RegExp(`^tree is invalid at character ${at}$`),
  );
});

it('rejects deep nesting', () => {
  expect(() => pick(`${'a['.repeat(900)}a${']'.repeat(900)}`)).toThrow(
    InvalidRequestError,
  );
});
