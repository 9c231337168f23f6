import type { ServerResponse } from 'node:http';
import { RateLimitedError } from '@slipway/service-kit';
import {
  type Delta,
  type DeltaPosition,
  deltaSince,
  writePosition,
} from './deltaEvents.ts';
import type { FlagSnapshot } from './FlagSnapshot.ts';
import type { ScopeQuery } from './scopeQuery.ts';
import type { ApiToken } from '../model/ApiToken.ts';

/** SDKs take a stream that says nothing for a minute for a broken one. */
const KEEP_ALIVE_MS = 20_000;

/** What SDKs wait with after 429, at least. */
const RETRY_AFTER_S = 30;

/** One SDK that listens. */
interface Listener {
  readonly response: ServerResponse;
  readonly query: ScopeQuery;
  readonly token: ApiToken;
  /** What it was sent. */
  position: DeltaPosition;
  /** True while its connection takes no more; what changes meanwhile is sent at once after that. */
  isFull: boolean;
}

interface StreamOptions {
  snapshot: FlagSnapshot;
  /** Tells whether a token still opens anything. */
  isValid: (token: ApiToken) => boolean;
  /** Streams at most. */
  most: number;
}

/** Sends changes of flags to SDKs as they happen, as server-sent events. */
export class FlagStreams {
  readonly #options: StreamOptions;
  readonly #listeners = new Set<Listener>();
  readonly #keepAlive: NodeJS.Timeout;
  readonly #unsubscribe: () => void;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#unsubscribe = options.snapshot.onChange(() => this.#tellAll());
    this.#keepAlive = setInterval(() => {
      this.endInvalid();
      this.#listeners.forEach(({ response, isFull }) => {
        if (!isFull) {
          response.write(': keep-alive\n\n');
        }
      });
    }, KEEP_ALIVE_MS);
    this.#keepAlive.unref();
  }

  /** How many SDKs listen. */
  get size(): number {
    return this.#listeners.size;
  }

  /**
   * Finds out what a stream begins with.
   *
   * @throws RateLimitedError when there are too many, UnavailableError while flags are loaded.
   */
  open(query: ScopeQuery, known: DeltaPosition | undefined): Delta {
    if (this.#listeners.size >= this.#options.most) {
      throw new RateLimitedError(RETRY_AFTER_S);
    }
    return deltaSince(this.#options.snapshot, query, known);
  }

  /** Sends the first events, and from then on every change, until the connection ends. */
  add(
    response: ServerResponse,
    options: { query: ScopeQuery; token: ApiToken; first: Delta },
  ): void {
    const { query, token, first } = options;
    const { position } = first;
    const listener = { response, query, token, position, isFull: false };
    this.#listeners.add(listener);
    response.on('close', () => this.#listeners.delete(listener));
    response.on('drain', () => {
      listener.isFull = false;
      this.#tell(listener, new Map());
    });
    send(listener, frameOf('unleash-connected', first));
    // Something may have changed since the first events were made.
    this.#tell(listener, new Map());
  }

  /** Ends the streams of tokens that were taken back or have expired. */
  endInvalid(): void {
    for (const { response, token } of this.#listeners) {
      if (!this.#options.isValid(token)) {
        response.end();
      }
    }
  }

  /** Ends all streams; SDKs connect anew. */
  close(): void {
    clearInterval(this.#keepAlive);
    this.#unsubscribe();
    this.#listeners.forEach(({ response }) => response.end());
  }

  #tellAll(): void {
    // Listeners of one scope that know the same are sent the same bytes.
    const frames = new Map<string, Frame>();
    this.#listeners.forEach(listener => this.#tell(listener, frames));
  }

  #tell(listener: Listener, frames: Map<string, Frame>): void {
    const { query, position, isFull } = listener;
    if (isFull) {
      return;
    }
    const key = `${writePosition(position)} ${query.key}`;
    let frame = frames.get(key);
    if (!frame) {
      const delta = deltaSince(this.#options.snapshot, query, position);
      frame = {
        position: delta.position,
        text:
          delta.events.length > 0
            ? frameOf('unleash-updated', delta)
            : undefined,
      };
      frames.set(key, frame);
    }
    listener.position = frame.position;
    if (frame.text !== undefined) {
      send(listener, frame.text);
    }
  }
}

interface Frame {
  readonly position: DeltaPosition;
  /** Undefined where nothing of the change is seen. */
  readonly text: string | undefined;
}

function send(listener: Listener, text: string): void {
  listener.isFull = !listener.response.write(text);
}

function frameOf(name: string, { events, position }: Delta): string {
  const data = JSON.stringify({ events });
  return `event: ${name}\nid: ${writePosition(position)}\ndata: ${data}\n\n`;
}
