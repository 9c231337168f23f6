import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FakeCluster } from '../__testUtils__/FakeCluster.ts';
import { FakeEngine } from '../__testUtils__/FakeEngine.ts';
import { isolationModes } from '../__testUtils__/isolationModes.ts';
import { sleepers } from '../__testUtils__/sleepers.ts';
import {
  makeUnremovable,
  removeAnyhow,
} from '../__testUtils__/unremovableFolder.ts';
import { chooseIsolation } from '../isolation/chooseIsolation.ts';
import { withoutIsolation } from '../isolation/Isolation.ts';
import type { Interruption } from './commands.ts';
import { ContainerEngine } from './containers/ContainerEngine.ts';
import { ContainerExecutor } from './containers/ContainerExecutor.ts';
import { LABEL, PLACE_LABEL } from './containers/ContainerPlace.ts';
import { EngineError } from './containers/engineResponses.ts';
import type { Executor, Place, PlaceRequest } from './Executor.ts';
import { openCluster } from './kubernetes/openCluster.ts';
import { LocalExecutor } from './local/LocalExecutor.ts';
import { openExecutor } from './openExecutor.ts';

const IMAGE = 'registry.example/tools:1';

let directory: string;
let engine: FakeEngine | undefined;
let cluster: FakeCluster | undefined;
let executor: Executor;
/** Everything that a test has opened. */
let executors: Executor[];

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'build-executor-'));
  engine = undefined;
  cluster = undefined;
  executors = [];
});

afterEach(async () => {
  const faults = [...(engine?.faults ?? []), ...(cluster?.refused ?? [])];
  await Promise.all(executors.map(each => each.close?.()));
  await engine?.stop();
  await cluster?.end();
  await rm(directory, { recursive: true, force: true });
  if (faults.length > 0) {
    throw new Error(`The engine was asked wrongly: ${faults.join(', ')}`);
  }
});

/** @param socket - of a real engine, which has the image; a fake by default. */
async function makeContainers(
  socket?: string,
  Engine = ContainerEngine,
): Promise<Executor> {
  engine = socket === undefined ? await FakeEngine.start() : undefined;
  return new ContainerExecutor({
    engine: new Engine(socket ?? engine!.socket),
    directory,
    limits: { processes: 100, memoryMiB: 256, cpus: 1, diskMiB: 64 },
    uid: 65_534,
    killAfterMs: 500,
  });
}

/** Creates a container of a build whose process is gone. */
async function leaveContainer(id: string): Promise<void> {
  await new ContainerEngine(engine!.socket).create(`left-${id}`, {
    ...{ Image: IMAGE, Env: [], User: '65534:65534' },
    Labels: { [LABEL]: `gone:${id}`, [PLACE_LABEL]: directory },
    HostConfig: {
      ...{ CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges'] },
      ...{
        ReadonlyRootfs: true,
        Init: true,
        Binds: ['/a:/a', '/b:/b', '/c:/c'],
      },
      ...{ Memory: 1, MemorySwap: 1, PidsLimit: 1 },
    },
  });
}

async function makeKubernetes(): Promise<Executor> {
  cluster ??= await FakeCluster.create();
  return openCluster(
    {
      connection: 'kubeconfig',
      kubeconfig: { file: await cluster.kubeconfig() },
      namespace: 'builds',
      instance: 'test',
      memoryMiB: 256,
      cpus: 1,
      uid: 65_532,
      storage: { sizeGiB: 1, accessMode: 'ReadWriteOnce' },
      startSeconds: 60,
    },
    { directory, killAfterMs: 500, maxBytes: 10_000_000 },
  );
}

/** Creates an executor of processes and of containers. */
function makeBoth(socket: string): Executor {
  const { executor: both } = openExecutor(
    {
      ...{ executors: 1, path: '/usr/bin:/bin', labels: [] },
      isolation: {
        mode: 'unsafe-none',
        ...{ readable: [], firstUid: 1 },
        limits: { processes: 1, fileMiB: 1, diskMiB: 1 },
      },
      ...{ killAfterSeconds: 1, artifacts: { maxBytes: 1 } },
      containers: {
        ...{ socket, memoryMiB: 1, cpus: 1 },
        ...{ processes: 1, uid: 65_534 },
      },
    },
    { directory, isolation: withoutIsolation('') },
  );
  return both;
}

async function makeLocal(
  mode: 'unsafe-none' | 'required',
  { standsBy = false } = {},
): Promise<Executor> {
  const config = {
    executors: 1,
    path: '/usr/bin:/bin',
    git: { protocols: [] },
    isolation: {
      mode,
      readable: [],
      firstUid: 2_000_300_000,
      limits: { processes: 200, fileMiB: 64, diskMiB: 64 },
    },
  };
  const isolation = await chooseIsolation(config, {
    directory,
    isProduction: false,
    logger: { info() {}, warn() {} },
  });
  const local = new LocalExecutor({
    directory,
    isolation,
    path: config.path,
    killAfterMs: 500,
    standsBy,
    diskMiB: 64,
  });
  executors.push(local);
  return local;
}

const ways: [string, () => Promise<Executor>][] = isolationModes.map(mode => [
  mode === 'required' ? 'bubblewrap' : 'plain processes',
  () => makeLocal(mode),
]);
if (isolationModes.includes('required')) {
  // The fakes run commands with bubblewrap.
  ways.push(
    [
      'bubblewrap before the build',
      () => makeLocal('required', { standsBy: true }),
    ],
    ['containers', () => makeContainers()],
    ['kubernetes', makeKubernetes],
  );
}
const { TEST_ENGINE_SOCKET: socket } = process.env;
if (socket) {
  ways.push(['a real container engine', () => makeContainers(socket)]);
}

const request: PlaceRequest = {
  id: 7,
  worker: 'machine.1.2.abc',
  attempt: 1,
  environment: { JOB_NAME: 'job' },
  image: IMAGE,
};

/** Runs a script. @returns its exit status and output. */
async function run(
  place: Place,
  script: string,
  options: {
    environment?: Record<string, string>;
    isOffline?: boolean;
    signal?: AbortSignal;
    onOutput?(text: string): void;
  } = {},
): Promise<{ failure: string | null; stdout: string; stderr: string }> {
  const said = { stdout: '', stderr: '' };
  const failure = await place.run({
    argv: ['/bin/sh', '-c', script],
    environment: options.environment ?? {},
    isOffline: options.isOffline,
    signal: options.signal ?? new AbortController().signal,
    output: async (chunk, stream) => {
      said[stream] += chunk;
      options.onOutput?.(said[stream]);
    },
  });
  return { failure, ...said };
}

describe.each(ways)('%s', (name, make) => {
  let place: Place;

  beforeEach(async () => {
    executor = await make();
    place = await executor.open(request);
  });

  afterEach(() => place.close());

  it('runs programs one after the other in the same folders', async () => {
    expect(await run(place, 'pwd > ~/was; echo kept > file')).toMatchObject({
      stderr: '',
      failure: null,
    });
    const { stdout } = await run(
      place,
      'cat file; test "$(cat ~/was)" = "$WORKSPACE" && echo same',
    );
    expect(stdout).toBe('kept\nsame\n');
  });

  it('returns the exit status of a program, and separates its outputs', async () => {
    const ended = await run(place, 'echo out; echo err >&2; exit 3');
    // The log of a pod does not distinguish them.
    const both = { stdout: 'out\nerr\n', stderr: '' };
    expect(ended).toEqual({
      failure: 'it ended with exit code 3',
      ...(name === 'kubernetes' ? both : { stdout: 'out\n', stderr: 'err\n' }),
    });
  });

  it('passes variables unchanged, and nothing of the server', async () => {
    process.env.SERVER_SECRET = 'do-not-tell';
    const value = `a'b"c $HOME \`id\`\nnext`;
    const { stdout } = await run(
      place,
      'printf "[%s]" "$VALUE"; echo; echo "$JOB_NAME ${SERVER_SECRET-none}"',
      { environment: { VALUE: value } },
    );
    delete process.env.SERVER_SECRET;
    expect(stdout).toBe(`[${value}]\njob none\n`);
  });

  it('loses nothing of a large output', async () => {
    const { stdout } = await run(place, 'seq 200000');
    expect(stdout.length).toBe(1_288_895);
    expect(stdout.endsWith('\n200000\n')).toBe(true);
  });

  it('ends a program that is interrupted, in its own way if it is quick', async () => {
    const controller = new AbortController();
    const reason: Interruption = { kind: 'stopped', by: 'ada' };
    const ended = run(place, 'echo ready; sleep 305.5 & sleep 305.5', {
      signal: controller.signal,
      onOutput: text => text.includes('ready') && controller.abort(reason),
    });
    await expect(ended).rejects.toEqual(reason);
    await place.close();
    // Killed processes take a moment to end.
    await vi.waitFor(() => expect(sleepers('305.5')).toEqual([]));
  });

  it('runs nothing that was interrupted before', async () => {
    const reason: Interruption = { kind: 'shutdown' };
    const script = run(place, 'true', { signal: AbortSignal.abort(reason) });
    await expect(script).rejects.toEqual(reason);
  });

  it('runs a program without network access, or not at all', async () => {
    const { failure, stdout } = await run(place, 'cat /proc/net/dev', {
      isOffline: true,
    });
    const interfaces = stdout.match(/^ *\w+(?=:)/gm) ?? [];
    expect(failure === null ? interfaces.map(it => it.trim()) : ['lo']).toEqual(
      ['lo'],
    );
  });

  it('brings files to the server', async () => {
    await run(place, 'mkdir reports; echo "<testsuite/>" > reports/a.xml');
    const folder = await place.bring(['reports/*.xml']);
    expect(await readFile(path.join(folder, 'reports/a.xml'), 'utf8')).toBe(
      '<testsuite/>\n',
    );
  });

  // eslint-disable-next-line jest/no-done-callback -- the test's context
  it('ends a build that fills the disk', async context => {
    context.skip(name === 'kubernetes', 'The volume of a cluster has a size');
    const reason: Interruption = {
      kind: 'limit',
      excess: 'it used more than 64 MiB of disk space',
    };
    const filling = run(
      place,
      'for n in $(seq 100); do head -c 9000000 /dev/zero > ~/$n; sleep 0.2; done',
      { signal: place.exceeded! },
    );
    await expect(filling).rejects.toEqual(reason);
  });

  it('removes all of a build when it closes, and what an earlier process left', async () => {
    await run(place, 'echo x > file');
    await place.close();
    expect(await readdir(directory)).not.toContain('7');
    const again = await executor.open({ ...request, id: 8 });
    await run(again, 'echo x > file');
    const other = await make();
    await other.tidy(async ids => ids);
    expect(await readdir(directory)).not.toContain('8');
    await again.close();
  });
});

describe('a folder that cannot be removed', () => {
  const all = async (ids: number[]) => ids.sort((one, other) => one - other);

  beforeEach(() => makeUnremovable(path.join(directory, '7')));

  afterEach(() => removeAnyhow(path.join(directory, '7')));

  it('stops no other folder of containers from being removed', async () => {
    await mkdir(path.join(directory, '8'));
    executor = await makeContainers();
    await expect(executor.tidy(all)).rejects.toThrow('ENAMETOOLONG');
    expect(await readdir(directory)).toEqual(['7']);
  });

  it('stops no other folder of a cluster from being removed', async () => {
    await mkdir(path.join(directory, '8'));
    executor = await makeKubernetes();
    await expect(executor.tidy(all)).rejects.toThrow('ENAMETOOLONG');
    expect(await readdir(directory)).toEqual(['7']);
  });

  it('hides no container that cannot be removed, which stops no other folder from being removed', async () => {
    executor = await makeContainers();
    for (const id of ['8', '9']) {
      await mkdir(path.join(directory, id));
      await leaveContainer(id);
    }
    engine!.stuck.add('left-8');
    await expect(executor.tidy(all)).rejects.toThrow('the device is busy');
    expect((await readdir(directory)).sort()).toEqual(['7', '8']);
    expect(engine!.names).toEqual(['left-8']);
  });

  it('stops no folder of the other executor from being removed', async () => {
    await mkdir(`${directory}-containers/8`, { recursive: true });
    engine = await FakeEngine.start();
    executor = makeBoth(engine.socket);
    await expect(executor.tidy(all)).rejects.toThrow('ENAMETOOLONG');
    expect(await readdir(`${directory}-containers`)).toEqual([]);
    await rm(`${directory}-containers`, { recursive: true });
  });

  it('does not hide that the engine of the other executor fails', async () => {
    await mkdir(`${directory}-containers/8`, { recursive: true });
    executor = makeBoth(path.join(directory, 'none.sock'));
    await expect(executor.tidy(all)).rejects.toBeInstanceOf(EngineError);
    expect(await readdir(`${directory}-containers`)).toEqual(['8']);
    await rm(`${directory}-containers`, { recursive: true });
  });
});

it('removes the other Jobs of ended builds if one cannot be deleted', async () => {
  executor = await makeKubernetes();
  for (const id of ['7', '8']) {
    cluster!.store.add('jobs', {
      metadata: {
        ...{ name: `left-${id}`, namespace: 'builds' },
        labels: {
          'slipway.dev/instance': 'test',
          'slipway.dev/build': id,
          'slipway.dev/role': 'files',
        },
      },
    });
  }
  cluster!.fault = ({ method, path: at }) =>
    method === 'DELETE' && at.endsWith('/left-7')
      ? { code: 403, reason: 'Forbidden', message: 'not that one' }
      : undefined;
  await expect(executor.tidy(async ids => ids)).rejects.toThrow('delete jobs');
  expect(cluster!.names('jobs')).toEqual(['left-7']);
});

it('says why it could not prepare a build rather than that its folder is left', async () => {
  const isolation = withoutIsolation('');
  vi.spyOn(isolation, 'prepare').mockRejectedValue(new Error('full'));
  vi.spyOn(isolation, 'release').mockRejectedValue(new Error('busy'));
  executor = new LocalExecutor({
    ...{ directory, isolation, path: '/usr/bin:/bin' },
    ...{ killAfterMs: 1_000, diskMiB: 1 },
  });
  const { image, ...local } = request;
  await expect(executor.open(local)).rejects.toThrow('full');
});

// eslint-disable-next-line jest/no-done-callback -- the test's context
it('resumes a build of a prepared sandbox with files that its steps may change', async context => {
  context.skip(
    !isolationModes.includes('required'),
    'Nothing is isolated here',
  );
  executor = await makeLocal('required', { standsBy: true });
  const first = await executor.open(request);
  await run(first, 'umask 077; mkdir own; echo one > own/file');
  await first.close({ keepsFiles: true });
  const again = await makeLocal('required', { standsBy: true });
  const second = await again.open({ ...request, attempt: 2, resumes: true });
  expect(
    await run(second, 'echo two >> own/file; cat own/file; id -un'),
  ).toEqual({ failure: null, stdout: 'one\ntwo\nbuild\n', stderr: '' });
  await second.close();
});

it('reports a missing image, and runs nothing', async () => {
  executor = await makeContainers();
  const image = 'registry.example/missing:1';
  const place = await executor.open({ ...request, image });
  expect((await run(place, 'true')).failure).toBe(
    `the image ${image} was not pulled: no such image "${image}"`,
  );
  await place.close();
});

it('leaves alone a build that begins again while the image of its lost attempt is pulled', async () => {
  let finishPull = () => {};
  const pulling = new Promise<void>(resolve => {
    finishPull = resolve;
  });
  /** An engine whose pulls take long. */
  class SlowEngine extends ContainerEngine {
    override pullIfMissing(): Promise<void> {
      return pulling;
    }
  }
  executor = await makeContainers(undefined, SlowEngine);
  const first = executor.open(request);
  const second = executor.open({ ...request, attempt: 2 });
  finishPull();
  await (await first).close();
  const place = await second;
  await run(place, 'echo kept > file');
  expect((await run(place, 'cat file')).stdout).toBe('kept\n');
  await place.close();
  expect(await readdir(directory)).toEqual([]);
});

it('says that a container may have been killed for its memory', async () => {
  executor = await makeContainers();
  const place = await executor.open(request);
  expect((await run(place, 'exit 137')).failure).toBe(
    'it was killed (exit code 137), perhaps because it used more than 256 MiB of memory',
  );
  await place.close();
});
