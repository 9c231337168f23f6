import { open, FileHandle, stat, truncate } from 'node:fs/promises';
import { LineSplitter } from './runInWorkspace';

const POLL_MS = 250;
const MAX_CHUNK = 64 * 1024;
const MAX_LINES = 500;

/**
 * Forwards the lines that a process appends to its log file. The process writes to a file instead of a
 * pipe, so that its output is kept when the portal ends.
 */
export class LogFollower {
  readonly #file: string;
  readonly #onLine: (line: string) => void;
  readonly #timer: NodeJS.Timeout;
  #handle: FileHandle | undefined;
  #position: number;
  readonly #splitter = new LineSplitter(line => this.#emit(line));
  /** One buffer for all reads, most of which find nothing new. */
  readonly #chunk = Buffer.allocUnsafe(MAX_CHUNK);
  #lines = 0;
  #reading: Promise<void> = Promise.resolve();

  /** Follows `file` from byte `start`. */
  constructor(file: string, start: number, onLine: (line: string) => void) {
    this.#file = file;
    this.#onLine = onLine;
    this.#position = start;
    this.#timer = setInterval(() => this.#poll(), POLL_MS);
    this.#timer.unref();
  }

  /** Reads the remaining lines and stops. */
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
    const { bytesRead } = await this.#handle.read(
      this.#chunk,
      0,
      MAX_CHUNK,
      this.#position,
    );
    if (bytesRead > 0) {
      this.#position += bytesRead;
      this.#splitter.write(this.#chunk.subarray(0, bytesRead));
    }
  }

  #emit(line: string) {
    this.#lines += 1;
    if (this.#lines < MAX_LINES) {
      this.#onLine(line);
    } else if (this.#lines === MAX_LINES) {
      this.#onLine('Further output is only in the log file of the workspace');
    }
  }
}

/** Matches the first line of the trace that code-server prints if its native logger is not built. */
const MISSING_LOGGER = /Error: Could not locate the bindings file/;

/** Matches further lines of a trace: indented ones, and the end of the object after it. */
const TRACE_GOES_ON = /^(?:\s|\})/;

/** The editor's own timestamp of a line; the log has a separate column for it. */
const TIME = /^\[[\dTZ:.-]+\]\s*/;

/**
 * Matches lines without information: empty ones, and warnings about the signing module that only VS
 * Code's own build has.
 */
const SAYS_NOTHING = /^\s*$|^File not found: .*\/vsda(?:_bg)?\./;

/**
 * Cleans up an editor's log: removes the editor's own timestamps, and drops harmless errors.
 * code-server is installed without its native logger, and prints traces of about 50 lines about
 * the missing files; this only costs a log file of its own.
 *
 * @returns a function to call with each line in order; it returns the line to show, or null to
 * drop it.
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

/** Size above which a log is emptied at the next start; all starts of a workspace append to one log. */
const MAX_LOG_BYTES = 10 * 1024 ** 2;

/** Empties a log that has grown too large. @returns its size, which is where new output begins. */
export async function boundIdeLog(file: string): Promise<number> {
  const size = (await stat(file).catch(() => null))?.size ?? 0;
  if (size <= MAX_LOG_BYTES) {
    return size;
  }
  await truncate(file);
  return 0;
}

/** Forwards an editor's log from byte `start`, cleaned up. */
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
