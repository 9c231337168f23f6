import { spawn } from 'node:child_process';
import { FileHandle, open, stat, truncate } from 'node:fs/promises';
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

/** How often a followed log is read, and the maximum number of bytes per read. */
const LOG_POLL_MS = 250;
const LOG_CHUNK_BYTES = 64 * 1024;
/** The maximum number of forwarded lines of a log. */
const MAX_LOG_LINES = 500;

/**
 * Cleans up and forwards the lines that an editor appends to its log file, starting at byte `position`.
 * The editor writes to a file instead of a pipe, so that its output survives the end of the portal.
 *
 * @returns a function that forwards the remaining lines and stops.
 */
export function followIdeLog(
  file: string,
  position: number,
  onLine: (line: string) => void,
): () => Promise<void> {
  const clean = createIdeLogCleaner();
  let count = 0;
  const lines = new LineSplitter(line => {
    count += 1;
    const text =
      count < MAX_LOG_LINES
        ? clean(line)
        : 'Further output is only in the log file of the workspace';
    if (text !== null && count <= MAX_LOG_LINES) {
      onLine(text);
    }
  });
  let handle: FileHandle | undefined;
  // One buffer for all reads, most of which find nothing new.
  const chunk = Buffer.allocUnsafe(LOG_CHUNK_BYTES);
  let end = position;
  const read = async () => {
    handle ??= await open(file, 'r');
    let bytesRead = chunk.length;
    // Reads no more than is forwarded, because a program may print gigabytes.
    while (bytesRead === chunk.length && count < MAX_LOG_LINES) {
      ({ bytesRead } = await handle.read(chunk, 0, chunk.length, end));
      end += bytesRead;
      lines.write(chunk.subarray(0, bytesRead));
    }
  };
  let reading = Promise.resolve();
  const poll = () => {
    reading = reading.then(read).catch(() => undefined);
  };
  const timer = setInterval(poll, LOG_POLL_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    poll();
    await reading;
    lines.end();
    await handle?.close();
  };
}

/** Matches the first line of the trace that code-server prints if its native logger is not built. */
const MISSING_LOGGER = /Error: Could not locate the bindings file/;

/** Matches the other lines of the trace: indented ones, and the end of the object printed after it. */
const TRACE_GOES_ON = /^(?:\s|\})/;

/** The editor's own timestamp of a line; the log has a separate column for it. */
const TIME = /^\[[\dTZ:.-]+\]\s*/;

/**
 * Matches lines without information: empty ones, and warnings about the signing module that only VS
 * Code's own build has.
 */
const SAYS_NOTHING = /^\s*$|^File not found: .*\/vsda(?:_bg)?\./;

/**
 * Creates a function that cleans up an editor's log: it removes the editor's own timestamps and drops
 * harmless errors. code-server is installed without its native logger, so it writes no log file of its
 * own, and prints traces of about 50 lines about the missing files.
 *
 * @returns a function to call with each line in order; it returns the line to show, or null to drop it.
 */
export function createIdeLogCleaner(): (line: string) => string | null {
  let inTrace = false;
  return line => {
    if (MISSING_LOGGER.test(line)) {
      inTrace = true;
    } else {
      inTrace &&= TRACE_GOES_ON.test(line);
    }
    const text = line.replace(TIME, '');
    return inTrace || SAYS_NOTHING.test(text) ? null : text;
  };
}

/** Size above which a log is emptied at the next start: all starts of a workspace append to one file. */
const MAX_LOG_BYTES = 10 * 1024 ** 2;

/** Empties a log that has grown too large. @returns the byte at which new output begins. */
export async function boundIdeLog(file: string): Promise<number> {
  const size = (await stat(file).catch(() => null))?.size ?? 0;
  if (size <= MAX_LOG_BYTES) {
    return size;
  }
  await truncate(file);
  return 0;
}
