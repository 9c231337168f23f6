import { open, FileHandle, stat, truncate } from 'node:fs/promises';
import { LineSplitter } from './runInWorkspace';

const POLL_MS = 250;
const MAX_CHUNK = 64 * 1024;
const MAX_LINES = 500;

/**
 * Forwards the lines a process appends to its log file. The process writes to
 * the file itself, so that it keeps its output when the portal goes away.
 */
export class LogFollower {
  readonly #file: string;
  readonly #onLine: (line: string) => void;
  readonly #timer: NodeJS.Timeout;
  #handle: FileHandle | undefined;
  #position: number;
  readonly #splitter = new LineSplitter(line => this.#tell(line));
  #lines = 0;
  #reading: Promise<void> = Promise.resolve();

  /** Follows `file` from byte `start` on. */
  constructor(file: string, start: number, onLine: (line: string) => void) {
    this.#file = file;
    this.#onLine = onLine;
    this.#position = start;
    this.#timer = setInterval(() => this.#poll(), POLL_MS);
    this.#timer.unref();
  }

  /** Reads what is there and ends. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#poll();
    await this.#reading;
    this.#splitter.end();
    await this.#handle?.close();
    this.#handle = undefined;
  }

  #poll() {
    this.#reading = this.#reading
      .then(() => this.#read())
      .catch(() => undefined);
  }

  async #read() {
    this.#handle ??= await open(this.#file, 'r');
    const { bytesRead, buffer } = await this.#handle.read(
      Buffer.alloc(MAX_CHUNK),
      0,
      MAX_CHUNK,
      this.#position,
    );
    this.#position += bytesRead;
    this.#splitter.write(buffer.subarray(0, bytesRead));
  }

  #tell(line: string) {
    this.#lines += 1;
    if (this.#lines < MAX_LINES) {
      this.#onLine(line);
    } else if (this.#lines === MAX_LINES) {
      this.#onLine('Further output is only in the log file of the workspace');
    }
  }
}

/** Begins the trace that code-server prints where its native logger is not built. */
const MISSING_LOGGER = /Error: Could not locate the bindings file/;

/** What a trace goes on with: indented lines, and the end of the object behind it. */
const TRACE_GOES_ON = /^(?:\s|\})/;

/** The editor's own time before a line; the log has its own column for that. */
const TIME = /^\[[\dTZ:.-]+\]\s*/;

/** Lines that say nothing: empty ones, and the signing module that VS Code's own build has and no other. */
const SAYS_NOTHING = /^\s*$|^File not found: .*\/vsda(?:_bg)?\./;

/**
 * Makes an editor's log fit to be read: takes off the editor's own times, and
 * leaves out what looks like a fault and is none. code-server is installed
 * without its native logger, and prints traces of some 50 lines about the files
 * it looked for; all it loses is a log file of its own.
 *
 * @returns a function to be asked for each line in turn, which answers the line
 * to show, or null for none.
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

/** An editor appends to one log over all its starts; beyond this a start begins anew. */
const MAX_LOG_BYTES = 10 * 1024 ** 2;

/** Empties a log that has grown too large. @returns its size, where new output begins. */
export async function boundIdeLog(file: string): Promise<number> {
  const size = (await stat(file).catch(() => null))?.size ?? 0;
  if (size <= MAX_LOG_BYTES) {
    return size;
  }
  await truncate(file);
  return 0;
}

/** Forwards what an editor logs from byte `start` on, without what says nothing. */
export function followIdeLog(
  file: string,
  start: number,
  onLine: (line: string) => void,
): LogFollower {
  const clean = createIdeLogCleaner();
  return new LogFollower(file, start, line => {
    const text = clean(line);
    if (text !== null) {
      onLine(text);
    }
  });
}
