import { execFileSync } from 'node:child_process';
import { Bench, jobOf } from '../__testUtils__/Bench.ts';
import { isolationModes } from '../__testUtils__/isolationModes.ts';

let bench: Bench;

afterEach(() => bench.close());

// A unique argument that identifies the process.
const SECONDS = `300.${process.pid}`;

/** Processes of the test, seen from outside: inside they may have other numbers. */
const sleepers = () =>
  execFileSync('ps', ['-eo', 'stat,args'])
    .toString()
    .split('\n')
    .filter(line => /^[^Z].*sleep /.test(line) && !/sh -|sh -e/.test(line))
    .filter(line => line.endsWith(` ${SECONDS}`) && !line.includes('bwrap'));

// A child in the group, one in its own session, one that has dropped its environment,
// and one that ignores SIGTERM.
const TREE = `
  sleep ${SECONDS} &
  setsid sh -c 'exec sleep ${SECONDS}' &
  env -i /bin/sh -c 'exec /bin/sleep ${SECONDS}' &
  (trap "" TERM; sleep ${SECONDS}) &
  sleep 0.3; echo started
`;

describe.each(isolationModes)('ending a build with isolation %s', mode => {
  beforeEach(async () => {
    bench = await Bench.open(mode);
  });

  it('kills the whole process tree when stopped by a user', async () => {
    const client = await bench.start([jobOf(`${TREE}\nsleep 301`)]);
    const build = await client.started(await client.trigger('job'));
    await client.logHas(build, 'started');
    // On a busy machine, they may start later than the script says.
    await vi.waitFor(() => expect(sleepers()).toHaveLength(4), 10_000);
    await client.post(`${build}stop`);
    expect(await client.ended(build)).toMatchObject({
      result: 'ABORTED',
      reason: 'Stopped by token:dev',
    });
    expect(sleepers()).toEqual([]);
  });

  it('leaves no processes or files after a normal end', async () => {
    const client = await bench.start([jobOf(TREE)]);
    const build = await client.build('job');
    expect(build.result).toBe('SUCCESS');
    expect(await client.log('/job/job/1/')).toContain('started');
    expect(sleepers()).toEqual([]);
    expect(await bench.folders()).toEqual([]);
  });

  it('kills the process tree when the server shuts down', async () => {
    const client = await bench.start([jobOf(`${TREE}\nsleep 301`)]);
    const build = await client.started(await client.trigger('job'));
    await client.logHas(build, 'started');
    // On a busy machine, they may start later than the script says.
    await vi.waitFor(() => expect(sleepers()).toHaveLength(4), 10_000);
    await bench.stop();
    expect(sleepers()).toEqual([]);
  });
});
