import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePorts } from '@slipway/e2e/src/processes/findFreePorts.ts';
import type { Starter } from '../measures/firstSteps.ts';

/** The Python for which Debian's packages are built. */
const PYTHON = '/usr/bin/python3';
const TIMEOUT_MS = 120_000;

const MASTER = `import os
from twisted.application import service
from buildbot.master import BuildMaster
application = service.Application('buildmaster')
BuildMaster(os.path.dirname(os.path.abspath(__file__)), 'master.cfg').setServiceParent(application)
`;
const workerFile = (port: number) => `import os
from twisted.application import service
from buildbot_worker.bot import Worker
application = service.Application('buildbot-worker')
Worker('127.0.0.1', ${port}, 'bench', 'bench', os.path.dirname(os.path.abspath(__file__)), 600).setServiceParent(application)
`;

/**
 * Starts a Buildbot master on SQLite and a worker, with the job that prints the clock.
 *
 * @param root - the folder from `installBuildbot`.
 * @param directory - absolute path of the folder for their state.
 */
export async function startBuildbot(
  root: string,
  directory: string,
): Promise<Starter & { stop(): Promise<void> }> {
  const [workerPort, changePort] = await findFreePorts(2);
  const starts = path.join(directory, 'starts');
  const [master, worker] = ['master', 'worker'].map(name =>
    path.join(directory, name),
  );
  [master, worker].forEach(folder => mkdirSync(folder, { recursive: true }));
  writeFileSync(starts, '');
  copyFileSync(
    path.join(import.meta.dirname, 'master.cfg'),
    path.join(master, 'master.cfg'),
  );
  writeFileSync(path.join(master, 'buildbot.tac'), MASTER);
  writeFileSync(path.join(worker, 'buildbot.tac'), workerFile(workerPort));
  const env = {
    ...process.env,
    PYTHONPATH: path.join(root, 'usr/lib/python3/dist-packages'),
    BENCH_STARTS: starts,
    BENCH_WORKER_PORT: String(workerPort),
    BENCH_CHANGE_PORT: String(changePort),
  };
  const program = (name: string) => path.join(root, 'usr/bin', name);
  await promisify(execFile)(
    PYTHON,
    [program('buildbot'), 'upgrade-master', '--quiet', master],
    { env, timeout: TIMEOUT_MS },
  );
  const children: ChildProcess[] = [];
  const start = (args: string[], stdio: 'pipe' | 'ignore') => {
    const child = spawn(PYTHON, args, { env, stdio: [stdio, stdio, 'ignore'] });
    children.push(child);
    return child;
  };
  const stop = async () => {
    await Promise.all(
      children
        .filter(child => child.exitCode === null && child.signalCode === null)
        .map(async child => {
          const ended = once(child, 'exit');
          child.kill('SIGKILL');
          await ended;
        }),
    );
  };
  try {
    start([program('buildbot'), 'start', '--nodaemon', master], 'ignore');
    const log = path.join(master, 'twistd.log');
    await until(`'is running' in ${log}`, () =>
      readIfThere(log).includes('BuildMaster is running') ? true : undefined,
    );
    // Need not be ready: the first builds wait until the worker has connected.
    start(
      [program('buildbot-worker'), 'start', '--nodaemon', worker],
      'ignore',
    );
    const sender = start(
      [path.join(import.meta.dirname, 'sendChanges.py'), String(changePort)],
      'pipe',
    );
    const lines = createInterface({ input: sender.stdout! });
    await once(lines, 'line');
    let count = 0;
    return {
      name: 'Buildbot',
      pids: children.slice(0, 2).map(({ pid }) => pid!),
      async build() {
        count += 1;
        const said = once(lines, 'line');
        sender.stdin!.write(`${count}\n`);
        const [sentAt] = (await said) as string[];
        const startedAt = await lineOf(starts, count);
        // Waits for the end of the build, which is soon after its step but reported nowhere.
        await sleep(200);
        return (Number(startedAt) - Number(sentAt)) / 1e6;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits until a file has a line with this number, counted from 1; resolves to the line. */
function lineOf(file: string, number: number): Promise<string> {
  return until(`line ${number} of ${file}`, () => {
    const lines = readIfThere(file).split('\n');
    return lines.length > number ? lines[number - 1] : undefined;
  });
}

async function until<T>(what: string, look: () => T | undefined): Promise<T> {
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end;) {
    const found = look();
    if (found !== undefined) {
      return found;
    }
    await sleep(25);
  }
  throw new Error(`Buildbot: ${what} did not appear`);
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
