import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendSignal } from '@slipway/processes';
import type { Interruption, Output } from '../commands.ts';

/** What a program leaves in its pipes when it ends is read within this. */
const DRAIN_MS = 250;

/**
 * Runs a program in a session and process group of its own, with nothing of the
 * server's environment. What it leaves in the background goes on.
 *
 * @param options.onStart - told the process id, which names session and group.
 * @returns null for exit code 0, else why it failed, as the end of a sentence.
 * @throws Interruption when the signal aborts; its group is dead then.
 */
export async function runProcess(options: {
  argv: readonly string[];
  cwd: string;
  environment: Readonly<Record<string, string>>;
  signal: AbortSignal;
  killAfterMs: number;
  output: Output;
  onStart(pid: number): void;
}): Promise<string | null> {
  const { signal, output, killAfterMs } = options;
  throwIfInterrupted(signal);
  const [program, ...args] = options.argv;
  const child: ChildProcess = spawn(program, args, {
    cwd: options.cwd,
    env: { ...options.environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<string | null>(resolve => {
    child.once('error', error =>
      resolve(`${program} could not run: ${error.message}`),
    );
    // Not 'close': what stays in the background may keep the pipes open.
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
    timer = setTimeout(() => sendSignal(group, 'SIGKILL'), killAfterMs);
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
    await Promise.race([drained, sleep(DRAIN_MS, undefined, { ref: false })]);
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
    // How the program ended is told by its exit; a broken pipe adds nothing.
  }
}

function throwIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) {
    // An interruption is no error: what is thrown is its kind.
    // eslint-disable-next-line no-throw-literal
    throw signal.reason as Interruption;
  }
}
