import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BuildCluster } from './BuildCluster.ts';
import { CONTAINER } from './podSpec.ts';

/** Proxies drop silent connections; a new one continues where the last one ended. */
const SILENCE_MS = 60_000;
const RETRY_MS = 500;
const TRIES = 8;
const UNREAD = '[the end of the log could not be read from the cluster]\n';
/** A timestamp and the space after it. */
const MAX_STAMP = 40;

/** The position up to which a log was read. */
class LogPosition {
  /** The timestamp of the current line. */
  stamp = '';
  /** Lines with this timestamp, including the current one. */
  #lines = 0;
  /** Bytes of the current line. */
  #bytes = 0;

  /** The number of lines and bytes to skip when lines with the current timestamp are read again. */
  rest(): { stamp: string; lines: number; bytes: number } {
    return { stamp: this.stamp, lines: this.#lines, bytes: this.#bytes };
  }

  begin(stamp: string): void {
    this.#lines = stamp === this.stamp ? this.#lines + 1 : 1;
    this.#bytes = 0;
    this.stamp = stamp;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
  }
}

/**
 * Reads the log of a pod across broken connections: each line has a timestamp, so that a new
 * connection can skip what was read before.
 */
export class PodLog {
  readonly #cluster: BuildCluster;
  readonly #pod: string;
  readonly #onChunk: (chunk: Buffer) => Promise<void>;
  readonly #position = new LogPosition();

  constructor(options: {
    cluster: BuildCluster;
    pod: string;
    onChunk(chunk: Buffer): Promise<void>;
  }) {
    this.#cluster = options.cluster;
    this.#pod = options.pod;
    this.#onChunk = options.onChunk;
  }

  /** Follows the log until the signal aborts; connects again whenever the stream ends. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // A broken stream is normal, and the end of the program is seen elsewhere.
      await this.#read({ isFollowing: true, signal }).catch(() => undefined);
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Reads what is left of the log of an ended program. */
  async drain(): Promise<void> {
    for (let left = TRIES; left > 0; left -= 1) {
      try {
        const signal = AbortSignal.timeout(SILENCE_MS);
        await this.#read({ isFollowing: false, signal });
        return;
      } catch {
        await sleep(RETRY_MS);
      }
    }
    await this.#onChunk(Buffer.from(UNREAD));
  }

  async #read(options: {
    isFollowing: boolean;
    signal: AbortSignal;
  }): Promise<void> {
    const response = await this.#request(options);
    await this.#take(response as AsyncIterable<Buffer>);
  }

  async #request(options: {
    isFollowing: boolean;
    signal: AbortSignal;
  }): Promise<IncomingMessage> {
    const { stamp } = this.#position;
    const query = new URLSearchParams({
      container: CONTAINER,
      timestamps: 'true',
      ...(options.isFollowing && { follow: 'true' }),
      // The cluster ignores fractions of a second here.
      ...(stamp && { sinceTime: wholeSecond(stamp) }),
    });
    const { url, settings } = await this.#cluster.locateStream(
      this.#pod,
      'log',
      query,
    );
    // Not imported (docs/adr/0065).
    const { request } = process.getBuiltinModule(
      url.protocol === 'https:' ? 'node:https' : 'node:http',
    );
    return new Promise((resolve, reject) => {
      const sent = request(
        url,
        { ...settings, signal: options.signal, timeout: SILENCE_MS },
        response => {
          if (response.statusCode === 200) {
            resolve(response);
          } else {
            response.resume();
            reject(new Error(`HTTP ${response.statusCode}`));
          }
        },
      );
      sent.once('timeout', () => sent.destroy(new Error('no data')));
      sent.once('error', reject);
      sent.end();
    });
  }

  /**
   * Passes on the text of lines, without their timestamps and without text that was already passed
   * on.
   */
  async #take(source: AsyncIterable<Buffer>): Promise<void> {
    const before = this.#position.rest();
    /** Lines with the last timestamp that are still to be skipped; the last one in part. */
    let known = before.lines;
    let skip = 0;
    let isSkipped = false;
    let head: Buffer = Buffer.alloc(0);
    let isInLine = false;
    for await (const part of source) {
      let rest: Buffer = isInLine ? part : Buffer.concat([head, part]);
      const fresh: Buffer[] = [];
      while (rest.length > 0) {
        if (!isInLine) {
          const space = rest.subarray(0, MAX_STAMP).indexOf(0x20);
          if (space < 0) {
            break;
          }
          const stamp = rest.subarray(0, space).toString('latin1');
          rest = rest.subarray(space + 1);
          isInLine = true;
          const isAgain = stamp === before.stamp && known > 0;
          known -= isAgain ? 1 : 0;
          isSkipped = stamp < before.stamp || (isAgain && known > 0);
          skip = isAgain && known === 0 ? before.bytes : 0;
          if (!isSkipped && !isAgain) {
            this.#position.begin(stamp);
          }
          continue;
        }
        const end: number = rest.indexOf(0x0a);
        const line = end < 0 ? rest : rest.subarray(0, end + 1);
        rest = rest.subarray(line.length);
        isInLine = end < 0;
        if (!isSkipped && line.length > skip) {
          fresh.push(line.subarray(skip));
          this.#position.add(line.length - skip);
        }
        skip = Math.max(0, skip - line.length);
      }
      if (fresh.length > 0) {
        await this.#onChunk(Buffer.concat(fresh));
      }
      head = isInLine ? Buffer.alloc(0) : Buffer.from(rest);
    }
  }
}

function wholeSecond(stamp: string): string {
  return new Date(Math.floor(Date.parse(stamp) / 1_000) * 1_000).toISOString();
}
