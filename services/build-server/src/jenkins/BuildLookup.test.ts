import type { StartedBuild } from '../builds/Build.ts';
import type { BuildFilter } from '../storage/BuildReader.ts';
import { PERMALINKS, readPermalinks } from './BuildLookup.ts';

const build = (
  number: number,
  result: StartedBuild['result'],
): StartedBuild => ({
  id: number,
  job: 'hello',
  number,
  state: result === null ? 'running' : 'finished',
  result,
  reason: null,
  cause: 'Triggered by dev',
  kind: 'user',
  triggeredBy: null,
  parameters: {},
  source: null,
  rerun: null,
  upstream: null,
  steps: [],
  tests: null,
  artifacts: [],
  queuedAt: 0,
  dueAt: 0,
  startedAt: 0,
  finishedAt: null,
  attempt: 1,
  worker: null,
  builtOn: null,
  stopRequestedBy: null,
  kept: null,
  about: null,
});

const builds = [
  build(9, null),
  build(8, 'ABORTED'),
  build(7, 'UNSTABLE'),
  build(6, 'SUCCESS'),
];
const numbersOf = (links: object) =>
  Object.fromEntries(
    Object.entries(links).map(([name, found]) => [name, found?.number ?? null]),
  );

it('resolves each from the history', async () => {
  const store = { findNewest: () => Promise.reject(new Error('not asked')) };
  const links = await readPermalinks(store, {
    job: 'hello',
    builds,
    areAll: true,
  });
  expect(numbersOf(links)).toEqual({
    lastBuild: 9,
    lastCompletedBuild: 8,
    lastSuccessfulBuild: 7,
    lastStableBuild: 6,
    lastUnstableBuild: 7,
    lastFailedBuild: null,
    lastUnsuccessfulBuild: 8,
  });
});

it('reads builds that are older than the history', async () => {
  const asked: (BuildFilter | undefined)[] = [];
  const store = {
    findNewest: async (_job: string, filter?: BuildFilter) => {
      asked.push(filter);
      return build(2, 'FAILURE');
    },
  };
  const links = await readPermalinks(store, {
    job: 'hello',
    builds,
    areAll: false,
  });
  expect(links.lastFailedBuild?.number).toBe(2);
  expect(asked).toEqual([PERMALINKS.lastFailedBuild]);
});
