import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AgentClaim, isRefusal, type ServerLink } from './ServerLink.ts';

const PART_BYTES = 256 * 1024;
/** Pause between two parts, so that a program that writes lines does not cause a request each. */
const GATHER_MS = 50;
const RETRY_MS = 500;

/**
 * Sends the log of one build to the server as it grows. The log is written to disk first, so
 * nothing is lost while the server is unreachable: its next response says up to which offset it has
 * the log.
 */
export class LogUplink {
  readonly #link: ServerLink;
  readonly #claim: AgentClaim;
  readonly #file: string;
  /** Offset in the server's log at which this log begins, in bytes. */
  readonly #base: number;
  readonly #done: Promise<void>;
  #sent = 0;
  #hasMore = true;
  #isEnding = false;
  #isGivenUp = false;
  #wake = () => {};

  constructor(options: {
    link: ServerLink;
    claim: AgentClaim;
    /** Absolute. */
    file: string;
    base: number;
  }) {
    this.#link = options.link;
    this.#claim = options.claim;
    this.#file = options.file;
    this.#base = options.base;
    this.#done = this.#run();
  }

  /** Call this after each write to the log. */
  written(): void {
    this.#hasMore = true;
    this.#wake();
  }

  /** Resolves once the server has the whole log, or {@link giveUp} was called. */
  end(): Promise<void> {
    this.#isEnding = true;
    this.#wake();
    return this.#done;
  }

  /** Stops sending, because the build now belongs to another process. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.#wake();
  }

  async #run(): Promise<void> {
    while (!this.#isGivenUp) {
      const isLast = this.#isEnding;
      this.#hasMore = false;
      const part = await this.#next();
      if (part.length === 0) {
        if (isLast) {
          return;
        }
        await this.#untilMore();
        continue;
      }
      try {
        const end = await this.#link.log(
          this.#claim,
          this.#base + this.#sent,
          part,
        );
        const sent = end - this.#base;
        // A full log accepts no more output.
        this.#sent =
          sent === this.#sent ? sent + part.length : Math.max(0, sent);
        if (part.length < PART_BYTES && !this.#isEnding) {
          await sleep(GATHER_MS);
        }
      } catch (error) {
        if (isRefusal(error)) {
          return;
        }
        await sleep(RETRY_MS);
      }
    }
  }

  async #untilMore(): Promise<void> {
    if (!this.#hasMore && !this.#isEnding && !this.#isGivenUp) {
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    }
  }

  async #next(): Promise<Buffer> {
    const file = await open(this.#file).catch(() => undefined);
    if (!file) {
      return Buffer.alloc(0);
    }
    try {
      const { size } = await file.stat();
      const length = Math.min(PART_BYTES, Math.max(0, size - this.#sent));
      const buffer = Buffer.allocUnsafe(length);
      const { bytesRead } = await file.read(buffer, 0, length, this.#sent);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }
}
