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

it('answers the fields that are named, and what each object is', () => {
  expect(pick('name,lastBuild[number]')).toEqual({
    _class: 'Job',
    name: 'hello',
    lastBuild: { _class: 'Build', number: 3 },
  });
});

it('takes a name without brackets whole, and leaves out what is not there', () => {
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

it('takes a star for what is not named itself', () => {
  expect(pick('*[number],lastBuild[result]')).toEqual({
    ...job,
    lastBuild: { _class: 'Build', result: 'SUCCESS' },
    builds: [3, 2, 1].map(number => ({ _class: 'Build', number })),
    actions: [{ _class: 'Parameters' }],
  });
});

it('takes what the Jenkins plugin of Backstage asks', () => {
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

it('joins what is asked for twice', () => {
  expect(pick('lastBuild[number],lastBuild[result]')).toEqual({
    _class: 'Job',
    lastBuild: { _class: 'Build', number: 3, result: 'SUCCESS' },
  });
});

it('knows what is asked for', () => {
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

it('refuses what is nested without end', () => {
  expect(() => pick(`${'a['.repeat(900)}a${']'.repeat(900)}`)).toThrow(
    InvalidRequestError,
  );
});
