import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  listEnvironments,
  listProcesses,
  lowerPriority,
  type ProcessWithEnvironment,
  sendSignal,
} from '@slipway/processes';
import { endsAtOnce, type Output } from '../commands.ts';

/**
 * Time to read the remaining output of a program after it ends, if other processes may keep its
 * pipes open.
 */
const DRAIN_MS = 250;

/** The niceness of builds, so that the server stays responsive when the CPUs are busy. */
const NICENESS = 5;

/** Starts a program in its own session, with lower priority than the server and without the server's environment. */
export function startProgram(
  [program, ...args]: readonly string[],
  options: {
    cwd: string;
    environment: Readonly<Record<string, string>>;
    input?: 'ignore' | 'pipe';
  },
): ChildProcess {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...options.environment },
    detached: true,
    stdio: [options.input ?? 'ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) {
    lowerPriority(child.pid, NICENESS);
  }
  return child;
}

/**
 * Runs a program to its end. Its background processes keep running.
 *
 * @param start - starts it in its own session and process group.
 * @param options.onStart - called with the process id, which is also the id of session
 * and group.
 * @returns null for exit code 0, otherwise why it failed, as the end of a sentence.
 * @throws Interruption when the signal aborts; the group has been killed by then.
 */
export async function runProcess(
  start: () => ChildProcess,
  options: {
    signal: AbortSignal;
    killAfterMs: number;
    output: Output;
    /** True if the program's background processes end with it, so that its output ends. */
    endsProcesses: boolean;
    onStart(pid: number): void;
  },
): Promise<string | null> {
  const { signal, output, killAfterMs } = options;
  signal.throwIfAborted();
  const child = start();
  const ended = new Promise<string | null>(resolve => {
    child.once('error', error =>
      resolve(`${child.spawnfile} could not run: ${error.message}`),
    );
    // Not 'close': background processes may keep the pipes open.
    child.once('exit', (code, killer) =>
      resolve(
        code === 0 ? null : `it ended with ${killer ?? `exit code ${code}`}`,
      ),
    );
  });
  const drained = Promise.all([
    pump(child.stdout!, chunk => output(chunk, 'stdout')),
    pump(child.stderr!, chunk => output(chunk, 'stderr')),
  ]);
  if (child.pid === undefined) {
    return ended;
  }
  options.onStart(child.pid);
  const group = -child.pid;
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    sendSignal(group, 'SIGTERM');
    timer = setTimeout(
      () => sendSignal(group, 'SIGKILL'),
      endsAtOnce(signal) ? 0 : killAfterMs,
    );
  };
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) {
    end();
  }
  try {
    const failure = await ended;
    if (signal.aborted) {
      sendSignal(group, 'SIGKILL');
    }
    await Promise.race([
      drained,
      ...(options.endsProcesses
        ? []
        : [sleep(DRAIN_MS, undefined, { ref: false })]),
    ]);
    signal.throwIfAborted();
    return failure;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

async function pump(
  stream: Readable,
  output: (chunk: Buffer) => Promise<void>,
): Promise<void> {
  try {
    for await (const chunk of stream) {
      await output(chunk as Buffer);
    }
  } catch {
    // The exit code reports how the program ended; a broken pipe adds nothing.
  }
}

const VARIABLE = 'SLIPWAY_BUILD_MARK';
const MARK = new RegExp(`(?:^|\\0)${VARIABLE}=([^:;\\0]+):(\\d+);`);

/** The build that a process belongs to, and the server process that runs the build. */
export interface BuildMark {
  worker: string;
  buildId: number;
}

/** Returns the variable that identifies every process of a build, even in another session. */
export function markEnvironment({
  worker,
  buildId,
}: BuildMark): Record<string, string> {
  return { [VARIABLE]: `${worker}:${buildId};` };
}

/** Parses a mark from the entries of an environment. */
function readMark(environment: string): BuildMark | undefined {
  const [, worker, buildId] = MARK.exec(environment) ?? [];
  return worker ? { worker, buildId: Number(buildId) } : undefined;
}

/** A busy machine may take seconds to end killed processes. */
const GIVE_UP_MS = 15_000;
const PAUSE_MS = 25;

/** The processes of a build and their descendants. */
interface Doomed {
  /** Selects the processes to kill, by their build. */
  isDoomed(mark: BuildMark): boolean;
  /** Sessions led by its commands: their members may have dropped the mark. */
  sessions?: ReadonlySet<number>;
  /**
   * Start time before which none of them can have started, such as that of the server process that ran
   * the build. Without it, the environments of all processes are read.
   */
  since?: string;
}

/**
 * Kills every process of a build until none is left: its process groups, on all systems,
 * and on systems with `/proc` also processes that carry its mark, belong to one of its
 * sessions, or descend from those. A process that has left its environment, its session
 * and its parent is not found.
 */
export async function killProcesses(doomed: Doomed): Promise<void> {
  for (const session of doomed.sessions ?? []) {
    sendSignal(-session, 'SIGKILL');
  }
  for (const end = Date.now() + GIVE_UP_MS; Date.now() < end;) {
    const found = findDoomed(
      (await listProcesses({ since: doomed.since })).filter(
        ({ isDead }) => !isDead,
      ),
      doomed,
    );
    if (found.length === 0) {
      return;
    }
    found.forEach(pid => sendSignal(pid, 'SIGKILL'));
    await sleep(PAUSE_MS);
  }
}

/**
 * Kills every process of builds whose server process is gone.
 *
 * @param isGone - called once for each server process that marked one.
 */
export async function killAbandonedProcesses(
  isGone: (worker: string) => Promise<boolean>,
): Promise<void> {
  const gone = new Map<string, boolean>();
  for (const environment of await listEnvironments()) {
    const mark = readMark(environment);
    if (mark && !gone.has(mark.worker)) {
      gone.set(mark.worker, await isGone(mark.worker));
    }
  }
  if ([...gone.values()].includes(true)) {
    await killProcesses({
      isDoomed: ({ worker }) => gone.get(worker) === true,
    });
  }
}

/** Finds the processes to end. @returns their process ids. */
function findDoomed(
  processes: readonly ProcessWithEnvironment[],
  { isDoomed, sessions = new Set() }: Doomed,
): number[] {
  const byPid = new Map(processes.map(entry => [entry.pid, entry]));
  const verdicts = new Map<number, boolean>();
  const judge = (pid: number, depth = 0): boolean => {
    const entry = byPid.get(pid);
    // When a build tests a server, this process is itself a descendant of a build.
    if (!entry || pid === process.pid || pid <= 1 || depth > 1_000) {
      return false;
    }
    const known = verdicts.get(pid);
    if (known !== undefined) {
      return known;
    }
    const mark = readMark(entry.environment);
    const verdict = mark
      ? isDoomed(mark)
      : sessions.has(entry.session) || judge(entry.parent, depth + 1);
    verdicts.set(pid, verdict);
    return verdict;
  };
  return processes.map(({ pid }) => pid).filter(pid => judge(pid));
}
