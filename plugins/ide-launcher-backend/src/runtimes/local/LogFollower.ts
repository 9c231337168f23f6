import { open, FileHandle } from 'node:fs/promises';
import { LineSplitter } from './LineSplitter';

const POLL_MS = 250;
const MAX_CHUNK = 64 * 1024;
const MAX_LINES = 500;

/**
 * Forwards the lines a process appends to its log file. The process writes to
 * the file itself, so that it keeps its output when the portal goes away.
 */
export class LogFollower {
  private readonly timer: NodeJS.Timeout;
  private handle: FileHandle | undefined;
  private position: number;
  private readonly splitter = new LineSplitter(line => this.tell(line));
  private lines = 0;
  private reading: Promise<void> = Promise.resolve();

  /** Follows `file` from byte `start` on. */
  constructor(
    private readonly file: string,
    start: number,
    private readonly onLine: (line: string) => void,
  ) {
    this.position = start;
    this.timer = setInterval(() => this.poll(), POLL_MS);
    this.timer.unref();
  }

  /** Reads what is there and ends. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.poll();
    await this.reading;
    this.splitter.end();
    await this.handle?.close();
    this.handle = undefined;
  }

  private poll() {
    this.reading = this.reading.then(() => this.read()).catch(() => undefined);
  }

  private async read() {
    this.handle ??= await open(this.file, 'r');
    const { bytesRead, buffer } = await this.handle.read(
      Buffer.alloc(MAX_CHUNK),
      0,
      MAX_CHUNK,
      this.position,
    );
    this.position += bytesRead;
    this.splitter.write(buffer.subarray(0, bytesRead));
  }

  private tell(line: string) {
    this.lines += 1;
    if (this.lines < MAX_LINES) {
      this.onLine(line);
    } else if (this.lines === MAX_LINES) {
      this.onLine('Further output is only in the log file of the workspace');
    }
  }
}
