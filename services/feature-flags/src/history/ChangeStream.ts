import type { ServerResponse } from 'node:http';
import { RateLimitedError } from '@slipway/service-kit';
import type { FlagSnapshot } from '../client/FlagSnapshot.ts';

/** Proxies close connections that are silent for a minute. */
const KEEP_ALIVE_MS = 20_000;
/** Maximum duration of a connection; pages then reconnect, which checks their session again. */
const LONGEST_MS = 10 * 60_000;
const RETRY_AFTER_S = 30;

/** Notifies pages of changes, so that they refetch what they show. */
export class ChangeStream {
  readonly #snapshot: FlagSnapshot;
  readonly #most: number;
  readonly #responses = new Set<ServerResponse>();
  readonly #keepAlive: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #changedAt = performance.now();

  /** @param options.most - maximum number of connections. */
  constructor(options: { snapshot: FlagSnapshot; most: number }) {
    this.#snapshot = options.snapshot;
    this.#most = options.most;
    this.#unsubscribe = options.snapshot.onChange(() => {
      this.#changedAt = performance.now();
      this.#send(this.#frame());
    });
    this.#keepAlive = setInterval(
      () => this.#send(': keep-alive\n\n'),
      KEEP_ALIVE_MS,
    );
    this.#keepAlive.unref();
  }

  /**
   * Checks that another page can connect.
   *
   * @throws RateLimitedError if too many are connected, UnavailableError while flags are being loaded.
   */
  assertReady(): void {
    this.#frame();
    if (this.#responses.size >= this.#most) {
      throw new RateLimitedError(RETRY_AFTER_S);
    }
  }

  /** Sends the current revision, and every later one until the connection closes. */
  add(response: ServerResponse): void {
    this.#responses.add(response);
    const end = setTimeout(() => response.end(), LONGEST_MS);
    end.unref();
    response.on('close', () => {
      clearTimeout(end);
      this.#responses.delete(response);
    });
    // A page that was not reading may have missed a change.
    response.on('drain', () => {
      if (this.#snapshot.isLoaded) {
        response.write(this.#frame());
      }
    });
    response.write(this.#frame());
  }

  close(): void {
    clearInterval(this.#keepAlive);
    this.#unsubscribe();
    this.#responses.forEach(response => response.end());
  }

  /**
   * Formats an event with the revision and its age, from which a page can tell whether something has
   * changed between the responses that it shows and its connection.
   */
  #frame(): string {
    const { revision } = this.#snapshot;
    const ageMs = Math.floor(performance.now() - this.#changedAt);
    return `event: changed\ndata: ${JSON.stringify({ revision, ageMs })}\n\n`;
  }

  #send(text: string): void {
    for (const response of this.#responses) {
      // Nothing more is sent to a page that is not reading: it would accumulate in memory.
      if (!response.writableNeedDrain) {
        response.write(text);
      }
    }
  }
}
