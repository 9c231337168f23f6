import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { endGroup } from '@slipway/processes';
import { ToolInstallError } from './ToolInstallError.ts';

const KEPT_ERROR_LINES = 40;
const KILL_GRACE_MS = 3_000;

/** Options of {@link runCommand}. */
export interface CommandOptions {
  command: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  timeoutMs: number;
  /** Called with the id of the new process group, so that a later owner of the lock can kill it. */
  onStart?(pid: number): void;
  /** Called with every line of standard error. */
  onErrorLine?(line: string): void;
}

/** The result of a program. */
export interface CommandResult {
  code: number | null;
  stdout: string;
  /** The last lines of standard error. */
  stderr: string;
  timedOut: boolean;
}

/**
 * Runs a program to completion in its own process group, so that an abort also kills its child
 * processes.
 *
 * @throws ToolInstallError if the program is missing or the signal aborts.
 */
export async function runCommand(
  options: CommandOptions,
): Promise<CommandResult> {
  const { command, args, cwd, env, signal, timeoutMs } = options;
  if (signal.aborted) {
    throw new ToolInstallError('aborted', 'The installation was cancelled');
  }
  const child = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid) {
    options.onStart?.(child.pid);
  }

  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  const errorLines: string[] = [];
  createInterface({ input: child.stderr }).on('line', line => {
    options.onErrorLine?.(line);
    errorLines.push(line);
    if (errorLines.length > KEPT_ERROR_LINES) {
      errorLines.shift();
    }
  });

  let timedOut = false;
  const end = () => {
    if (child.pid) {
      void endGroup(child.pid, { graceMs: KILL_GRACE_MS });
    }
  };
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, timeoutMs);
  signal.addEventListener('abort', end, { once: true });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    if (signal.aborted) {
      throw new ToolInstallError('aborted', 'The installation was cancelled');
    }
    return { code, stdout, stderr: errorLines.join('\n'), timedOut };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}
