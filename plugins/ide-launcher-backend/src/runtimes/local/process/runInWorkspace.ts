import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { sendSignal } from '@slipway/processes';

/** Longer lines are split into pieces of this many characters. */
const MAX_LINE_LENGTH = 4_000;

/**
 * Splits the output of a program into lines. Buffers at most one line of limited length, because
 * a program may print gigabytes without a line break.
 */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  /** Calls `onLine` with each line; carriage returns also end lines. */
  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  write(chunk: Buffer): void {
    // A carriage return at the end of a chunk may be followed by a line feed in the next one.
    const lines = (this.#rest + this.#decoder.write(chunk)).split(
      /\r\n|\n|\r(?!$)/,
    );
    this.#rest = lines.pop() ?? '';
    lines.forEach(line => this.#emit(line));
    while (this.#rest.length > MAX_LINE_LENGTH) {
      this.#onLine(this.#rest.slice(0, MAX_LINE_LENGTH));
      this.#rest = this.#rest.slice(MAX_LINE_LENGTH);
    }
  }

  /** Emits the text after the last line break. */
  end(): void {
    if (this.#rest) {
      this.#emit(this.#rest.replace(/\r$/, ''));
      this.#rest = '';
    }
  }

  #emit(line: string) {
    for (let start = 0; start === 0 || start < line.length;) {
      this.#onLine(line.slice(start, start + MAX_LINE_LENGTH));
      start += MAX_LINE_LENGTH;
    }
  }
}

/** A program to run for a workspace alongside its editor. */
export interface WorkspaceProgram {
  command: string[];
  cwd: string;
  /** The complete environment; nothing is inherited. */
  env: Record<string, string>;
  timeoutMs: number;
  signal: AbortSignal;
  /** Called with each line of output; carriage returns also end lines. */
  onLine(line: string): void;
  /** Called every second; returning a text ends the program with that reason. */
  check?(): Promise<string | null>;
}

/** Runs a program to completion, like {@link runInWorkspace}. */
export type ProgramRunner = (
  program: WorkspaceProgram,
) => Promise<string | null>;

/**
 * Runs a program to completion in its own process group. Its background processes remain in the
 * workspace until that stops.
 *
 * @returns null for exit code 0, otherwise why it failed, as the end of a sentence.
 * @throws the signal's reason when it aborts.
 */
export async function runInWorkspace(
  program: WorkspaceProgram,
): Promise<string | null> {
  const { signal, timeoutMs } = program;
  signal.throwIfAborted();
  const [command, ...args] = program.command;
  const child = spawn(command, args, {
    cwd: program.cwd,
    env: program.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stopped: string | null = null;
  const stop = (reason: string) => {
    stopped ??= reason;
    if (child.pid) {
      sendSignal(-child.pid, 'SIGKILL');
    }
  };
  for (const input of [child.stdout, child.stderr]) {
    const lines = new LineSplitter(program.onLine);
    input
      .on('data', chunk => lines.write(chunk))
      .on('end', () => lines.end())
      // The exit code shows how the program ended; an error about a broken pipe adds nothing.
      .on('error', () => undefined);
  }
  const cancel = () => stop('it was cancelled');
  signal.addEventListener('abort', cancel, { once: true });
  const timer = setTimeout(
    () => stop(`it timed out after ${formatSeconds(timeoutMs)}`),
    timeoutMs,
  );
  let checking = false;
  const check = async () => {
    if (checking) {
      // The previous check is still walking a large folder.
      return;
    }
    checking = true;
    try {
      const reason = await program.check?.();
      if (reason) {
        stop(reason);
      }
    } finally {
      checking = false;
    }
  };
  const watch = setInterval(
    () => check().catch(error => stop(`it could not be watched: ${error}`)),
    1_000,
  );
  try {
    const failure = await new Promise<string | null>(resolve => {
      child.on('error', error =>
        resolve(`${command} could not run: ${error.message}`),
      );
      // Not 'close': background processes may keep the pipes open.
      child.on('exit', (code, killer) =>
        resolve(
          code === 0 ? null : `it ended with ${killer ?? `exit code ${code}`}`,
        ),
      );
    });
    signal.throwIfAborted();
    return stopped ?? failure;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal.removeEventListener('abort', cancel);
  }
}

/** Formats a duration for messages. */
export function formatSeconds(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds >= 120
    ? `${Math.round(seconds / 60)} minutes`
    : `${seconds} seconds`;
}
