/** How much of a connection's traffic is forgotten each second. */
const DRAIN_BYTES_PER_SECOND = 30;

/** How much above that somebody must send to be at work. */
const USE_BYTES = 150;

/**
 * Tells somebody at work from a tab that is merely open, by what one WebSocket
 * connection sends towards the IDE: a bucket that drains, and use when it is
 * full. Contents are compressed and no business of the gateway.
 *
 * Measured with VS Code 1.139 in Chromium, in bytes on the wire:
 * - nobody there: about 410 a minute over both connections of a tab. Its
 *   protocol keeps a connection alive with 13 bytes every 5 seconds (`KeepAlive`
 *   in src/vs/base/parts/ipc/common/ipc.net.ts); now and then it sends a few
 *   telemetry pings of 38 bytes, 2 seconds apart. At worst 72 in 5 seconds and
 *   122 in 10 on one connection, some 330 in 10 were they not compressed.
 * - `ls` in the terminal: 187. Typing in a terminal: 97 a second. One letter in
 *   the editor: 2,042. Five moves of the cursor: 1,268.
 *
 * Output that an open terminal shows is acknowledged by the browser, so lines
 * that keep coming may count as use as well.
 */
export class TrafficMeter {
  readonly #onUse: () => void;
  readonly #now: () => number;
  #level = 0;
  #measuredAt: number;

  /** @param options.now - milliseconds of a clock that never goes back. */
  constructor(options: { onUse(): void; now?: () => number }) {
    this.#onUse = options.onUse;
    this.#now = options.now ?? (() => performance.now());
    this.#measuredAt = this.#now();
  }

  /** Notes that the browser sent so many bytes. */
  add(bytes: number): void {
    const now = this.#now();
    const drained = ((now - this.#measuredAt) / 1000) * DRAIN_BYTES_PER_SECOND;
    this.#measuredAt = now;
    this.#level = Math.max(0, this.#level - drained) + bytes;
    if (this.#level >= USE_BYTES) {
      this.#level = 0;
      this.#onUse();
    }
  }
}
