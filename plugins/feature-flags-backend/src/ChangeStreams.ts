import type { Response } from 'express';

/** Milliseconds between two comments that keep proxies from closing a connection. */
const KEEP_ALIVE_MS = 25_000;
/** Milliseconds after which a page has to reconnect, with a new token of its session. */
const LONGEST_MS = 30 * 60_000;

/** Server-sent events for pages: one when they connect, and one for each change. */
export class ChangeStreams {
  readonly #open = new Set<Response>();
  readonly #most: number;
  #changes = 0;

  /** @param options.most - maximum number of concurrent connections; further ones get 429. */
  constructor(options: { most: number }) {
    this.#most = options.most;
  }

  add(response: Response): void {
    if (this.#open.size >= this.#most) {
      response
        .status(429)
        .set('retry-after', '30')
        .json({ error: { message: 'Too many pages follow flags' } });
      return;
    }
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      // Compression would delay events.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    const keepAlive = setInterval(
      () => response.write(': \n\n'),
      KEEP_ALIVE_MS,
    );
    const end = setTimeout(() => response.end(), LONGEST_MS);
    this.#open.add(response);
    response.on('close', () => {
      clearInterval(keepAlive);
      clearTimeout(end);
      this.#open.delete(response);
    });
    this.#send(response);
  }

  /** Sends an event to every page. */
  notify(): void {
    this.#changes += 1;
    this.#open.forEach(response => this.#send(response));
  }

  close(): void {
    this.#open.forEach(response => response.end());
  }

  #send(response: Response): void {
    response.write(`data: {"changes":${this.#changes}}\n\n`);
  }
}
