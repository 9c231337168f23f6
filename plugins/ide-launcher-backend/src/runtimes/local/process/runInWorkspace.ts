import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { sendSignal } from '@slipway/processes';

/** A line longer than this is told in pieces of this many characters. */
const MAX_LINE_LENGTH = 4_000;

/**
 * Cuts the output of a program into lines, without ever holding more than one
 * of bounded length: a program may print gigabytes and no line break.
 */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  /** Told each line; carriage returns end lines too. */
  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  write(chunk: Buffer): void {
    // A carriage return at the end waits for the line feed that may follow.
    const lines = (this.#rest + this.#decoder.write(chunk)).split(
      /\r\n|\n|\r(?!$)/,
    );
    this.#rest = lines.pop() ?? '';
    lines.forEach(line => this.#tell(line));
    while (this.#rest.length > MAX_LINE_LENGTH) {
      this.#onLine(this.#rest.slice(0, MAX_LINE_LENGTH));
      this.#rest = this.#rest.slice(MAX_LINE_LENGTH);
    }
  }

  /** Tells what stands after the last line break. */
  end(): void {
    if (this.#rest) {
      this.#tell(this.#rest.replace(/\r$/, ''));
      this.#rest = '';
    }
  }

  #tell(line: string) {
    for (let start = 0; start === 0 || start < line.length;) {
      this.#onLine(line.slice(start, start + MAX_LINE_LENGTH));
      start += MAX_LINE_LENGTH;
    }
  }
}

/** A program to run for a workspace, beside its editor. */
export interface WorkspaceProgram {
  command: string[];
  cwd: string;
  /** The whole environment; nothing is inherited. */
  env: Record<string, string>;
  timeoutMs: number;
  signal: AbortSignal;
  /** Told each line of output; carriage returns end lines too. */
  onLine(line: string): void;
  /** Asked every second; a text ends the program with it as the reason. */
  check?(): Promise<string | null>;
}

/** Runs a program to its end, as {@link runInWorkspace} does. */
export type ProgramRunner = (
  program: WorkspaceProgram,
) => Promise<string | null>;

/**
 * Runs a program to its end, in a process group of its own. What it leaves in
 * the background stays with the workspace until that stops.
 *
 * @returns null for exit code 0, else why it failed, as the end of a sentence.
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
      // How the program ended is told by its exit; a broken pipe adds nothing.
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
      // The last one still walks a large folder.
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
      // Not 'close': what the program leaves behind may keep the pipes open.
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

/** A time as messages say it. */
export function formatSeconds(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds >= 120
    ? `${Math.round(seconds / 60)} minutes`
    : `${seconds} seconds`;
}
