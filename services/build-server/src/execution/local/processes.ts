import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendSignal } from '@slipway/processes';
import { endsAtOnce, type Interruption, type Output } from '../commands.ts';

/** Time to read the remaining output of a program after it ends, if others may hold its pipes open. */
const DRAIN_MS = 250;

/** Starts a program in its own session, without the server's environment. */
export function startProgram(
  [program, ...args]: readonly string[],
  options: {
    cwd: string;
    environment: Readonly<Record<string, string>>;
    input?: 'ignore' | 'pipe';
  },
): ChildProcess {
  return spawn(program, args, {
    cwd: options.cwd,
    env: { ...options.environment },
    detached: true,
    stdio: [options.input ?? 'ignore', 'pipe', 'pipe'],
  });
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
  throwIfInterrupted(signal);
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
    throwIfInterrupted(signal);
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

function throwIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) {
    // An interruption is no error: what is thrown is its kind.
    // eslint-disable-next-line no-throw-literal
    throw signal.reason as Interruption;
  }
}
