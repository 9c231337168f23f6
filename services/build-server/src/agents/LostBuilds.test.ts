import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openTestDatabase } from '@slipway/service-kit/testing';
import { BuildLogs } from '../logs/BuildLogs.ts';
import { BuildStore } from '../storage/BuildStore.ts';
import { LostBuilds } from './LostBuilds.ts';

let directory: string;
let dispose: () => Promise<void>;
let store: BuildStore;
let logs: BuildLogs;
/** The log at the time when the change was about to be stored. */
let said: string[];
let fails: boolean;
let warnings: unknown[];
const logger = { warn: (about: unknown) => void warnings.push(about) };

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'lost-builds-'));
  const { database, ...opened } = await openTestDatabase('sqlite', {
    migrations: new URL('../../migrations/', import.meta.url),
  });
  dispose = opened.dispose;
  logs = new BuildLogs({ directory, maxBytes: 10_000 });
  said = [];
  fails = false;
  warnings = [];
  store = new BuildStore({
    database,
    async onFinished(_trx, { id }) {
      said.push(await logOf(id));
      if (fails) {
        throw new Error('The disk is full');
      }
    },
  });
});

afterEach(async () => {
  await dispose();
  await rm(directory, { recursive: true, force: true });
});

/** Queues a build, and starts it on an agent or the server. @returns its claim. */
async function begin(worker: string) {
  const { build } = await store.enqueue({
    ...{ job: 'hello', cause: 'Triggered by dev', triggeredBy: 'dev' },
    ...{ parameters: {}, source: null, delivery: null, joinsWaiting: false },
    ...{ queuedAt: 1, dueAt: 1 },
  });
  return claimAgain(worker, build.id);
}

async function logOf(id: number): Promise<string> {
  return (await logs.read(id, 0)).bytes.toString();
}

async function claimAgain(worker: string, id: number) {
  await store.claim({
    worker,
    jobs: [{ name: 'hello', serial: false }],
    ...{ limit: 1, now: 2, leaseUntil: 3, isAccepted: true },
  });
  const claims = await store.listRunning();
  return claims.find(claim => claim.id === id)!;
}

it('says in the log what the database will say, and announces one result only', async () => {
  const claim = await begin('one');
  const log = await logs.append(claim.id);
  await log.note('Finished: SUCCESS');
  await log.close();
  const lost = new LostBuilds({
    ...{ store, logs, now: () => 10, logger },
    jobs: { find: () => undefined },
  });
  const reason = 'The build server stopped during the build';

  // The process has come back: nothing changes.
  expect(await lost.end(claim, { reason, leaseEndedBefore: 3 })).toBe(false);
  expect(await logOf(claim.id)).toBe('Finished: SUCCESS\n');

  fails = true;
  await expect(lost.end(claim, { reason })).rejects.toThrow('full');
  expect(await store.listRunning()).toHaveLength(1);

  fails = false;
  expect(await lost.end(claim, { reason })).toBe(true);
  expect(said[0]).toBe(
    `Discarded SUCCESS\n\n==> ${reason}\nFinished: ABORTED\n`,
  );
  const text = await logOf(claim.id);
  expect(text).toBe(said[1]);
  expect(text.match(/^Finished: /gm)).toEqual(['Finished: ']);
  expect(await store.find('hello', 1)).toMatchObject({
    ...{ state: 'finished', result: 'ABORTED', reason },
  });
});

it('says how often a build was lost that may not begin again', async () => {
  const lost = new LostBuilds({
    ...{ store, logs, now: () => 10, logger },
    jobs: {
      find: () => ({ name: 'hello', steps: [], retryLostAgent: 1 }),
    },
  });
  const reason = 'The agent linux-1 was started anew';
  const first = await begin('agent.1.a');
  await lost.end(first, { reason });
  expect(await store.find('hello', 1)).toMatchObject({ state: 'queued' });
  const second = await claimAgain('agent.1.b', first.id);
  await lost.end(second, { reason });
  const all = `Lost 2 times, more often than its job allows. ${reason}`;
  expect(await store.find('hello', 1)).toMatchObject({
    ...{ state: 'finished', result: 'ABORTED', reason: all },
  });
  expect(await logOf(first.id)).toBe(
    `\n==> ${reason}\nThe build begins again\n\n==> ${all}\nFinished: ABORTED\n`,
  );
});

it('says that a person has stopped a build whose process is gone', async () => {
  const lost = new LostBuilds({
    ...{ store, logs, now: () => 10, logger },
    jobs: { find: () => ({ name: 'hello', steps: [], retryLostAgent: 1 }) },
  });
  const { id } = await begin('agent.1.a');
  await store.requestStop(id, { by: 'user:default/ada', now: 5 });
  const [claim] = await store.listRunning();
  await lost.end(claim, { reason: 'The agent linux-1 was started anew' });
  expect(await store.find('hello', 1)).toMatchObject({
    ...{ state: 'finished', result: 'ABORTED' },
    reason: 'Stopped by ada. The agent linux-1 was started anew',
  });
});

it('ends a build that a person stops while it is about to be queued again', async () => {
  const lost = new LostBuilds({
    ...{ store, logs, now: () => 10, logger },
    jobs: { find: () => ({ name: 'hello', steps: [], retryLostAgent: 1 }) },
  });
  const claim = await begin('agent.1.a');
  await store.requestStop(claim.id, { by: 'user:default/ada', now: 5 });
  const reason = 'The agent linux-1 was started anew';
  expect(await lost.end(claim, { reason })).toBe(true);
  expect(await store.find('hello', 1)).toMatchObject({
    ...{ state: 'finished', result: 'ABORTED' },
    reason: `Stopped by ada. ${reason}`,
  });
  expect(await logOf(claim.id)).toBe(
    `\n==> Stopped by ada. ${reason}\nFinished: ABORTED\n`,
  );
});

it('ends the other builds of an agent although the log of one cannot be written', async () => {
  const lost = new LostBuilds({
    ...{ store, logs, now: () => 10, logger },
    jobs: { find: () => undefined },
  });
  const first = await begin('agent.1.a');
  const second = await begin('agent.1.a');
  const ofAnother = await begin('agent.2.a');
  const current = await begin('agent.1.b');
  await mkdir(path.join(directory, `${first.id}.log`));
  await lost.endEarlier({ id: '1', name: 'linux-1' }, 'b');
  const running = (await store.listRunning()).map(({ id }) => id).sort();
  expect(running).toEqual([first.id, ofAnother.id, current.id]);
  expect(warnings).toMatchObject([{ build: first.id }]);
  expect(await store.findById(second.id)).toMatchObject({
    ...{ result: 'ABORTED', reason: 'The agent linux-1 was started anew' },
  });
});
