import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Bench, jobOf } from '../__testUtils__/Bench.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(() => bench.close());

/** Whether a process is there, and no zombie. */
function isAlive(pid: string): boolean {
  try {
    return !/^\S+ \(.*\) Z/.test(
      execFileSync('cat', [`/proc/${pid}/stat`], { stdio: 'pipe' }).toString(),
    );
  } catch {
    return false;
  }
}

// A child in the group, one in a session of its own, one that has dropped its
// environment, and one that minds no SIGTERM.
const TREE = `
  sleep 300 & echo "pid $!"
  setsid sh -c 'echo "pid $$"; exec sleep 300' &
  env -i /bin/sh -c 'echo "pid $$"; exec /bin/sleep 300' &
  (trap "" TERM; sleep 300) & echo "pid $!"
  sleep 0.3; echo started
`;

const pidsOf = (log: string) =>
  [...log.matchAll(/^pid (\d+)$/gm)].map(([, pid]) => pid);

it('by hand ends its whole tree', async () => {
  const client = await bench.start([jobOf(`${TREE}\nsleep 300`)]);
  const build = await client.started(await client.trigger('job'));
  const pids = pidsOf(await client.logHas(build, 'started'));
  expect(pids).toHaveLength(4);
  expect(pids.map(isAlive)).toEqual([true, true, true, true]);
  await client.post(`${build}stop`);
  expect(await client.ended(build)).toMatchObject({
    result: 'ABORTED',
    reason: 'Stopped by token:dev',
  });
  expect(pids.filter(isAlive)).toEqual([]);
});

it('by itself leaves nothing behind, in processes and on disk', async () => {
  const client = await bench.start([jobOf(TREE)]);
  const build = await client.build('job');
  expect(build.result).toBe('SUCCESS');
  const pids = pidsOf(await client.log('/job/job/1/'));
  expect(pids).toHaveLength(4);
  expect(pids.filter(isAlive)).toEqual([]);
  expect(await readdir(path.join(bench.directory, 'work'))).toEqual([]);
});

it('comes when the server shuts down', async () => {
  const client = await bench.start([jobOf(`${TREE}\nsleep 300`)]);
  const build = await client.started(await client.trigger('job'));
  const pids = pidsOf(await client.logHas(build, 'started'));
  await bench.stop();
  expect(pids.filter(isAlive)).toEqual([]);
});
