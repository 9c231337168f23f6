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

/** SDKs consider a stream broken after a minute of silence. */
const KEEP_ALIVE_MS = 20_000;

/** The minimum delay before SDKs retry after 429. */
const RETRY_AFTER_S = 30;

/** One connected SDK. */
interface Listener {
  readonly response: ServerResponse;
  readonly query: ScopeQuery;
  readonly token: ApiToken;
  /** Called regularly while it is connected. */
  readonly noteAlive: () => void;
  /** The state that it has been sent. */
  position: DeltaPosition;
  /** True while its connection is congested; pending changes are sent once it drains. */
  isFull: boolean;
}

interface StreamOptions {
  snapshot: FlagSnapshot;
  /** Checks whether a token is still valid. */
  isValid: (token: ApiToken) => boolean;
  /** Maximum number of streams. */
  most: number;
}

/** Streams changes of flags to SDKs as server-sent events. */
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
      this.#listeners.forEach(({ response, noteAlive, isFull }) => {
        noteAlive();
        if (!isFull) {
          response.write(': keep-alive\n\n');
        }
      });
    }, KEEP_ALIVE_MS);
    this.#keepAlive.unref();
  }

  /** The number of connected SDKs. */
  get size(): number {
    return this.#listeners.size;
  }

  /**
   * Returns the first events of a stream.
   *
   * @throws RateLimitedError if too many streams are open, UnavailableError while flags are
   * being loaded.
   */
  open(query: ScopeQuery, known: DeltaPosition | undefined): Delta {
    if (this.#listeners.size >= this.#options.most) {
      throw new RateLimitedError(RETRY_AFTER_S);
    }
    return deltaSince(this.#options.snapshot, query, known);
  }

  /** Sends the first events, then every change, until the connection closes. */
  add(
    response: ServerResponse,
    options: {
      query: ScopeQuery;
      token: ApiToken;
      first: Delta;
      /** Called now, and regularly while the SDK is connected. */
      noteAlive?: () => void;
    },
  ): void {
    const { query, token, first, noteAlive = () => {} } = options;
    const { position } = first;
    const listener: Listener = {
      response,
      query,
      token,
      noteAlive,
      position,
      isFull: false,
    };
    this.#listeners.add(listener);
    noteAlive();
    response.on('close', () => this.#listeners.delete(listener));
    response.on('drain', () => {
      listener.isFull = false;
      // While another database is being read, nothing can be sent; the end of the read is a change.
      if (this.#options.snapshot.isLoaded) {
        this.#tell(listener, new Map());
      }
    });
    send(listener, frameOf('unleash-connected', first));
    // Something may have changed since the first events were built.
    this.#tell(listener, new Map());
  }

  /** Closes the streams of revoked and expired tokens. */
  endInvalid(): void {
    for (const { response, token } of this.#listeners) {
      if (!this.#options.isValid(token)) {
        response.end();
      }
    }
  }

  /** Closes all streams; SDKs reconnect. */
  close(): void {
    clearInterval(this.#keepAlive);
    this.#unsubscribe();
    this.#listeners.forEach(({ response }) => response.end());
  }

  #tellAll(): void {
    // Listeners of one scope at the same position receive the same bytes.
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
  /** Undefined if the change is not visible. */
  readonly text: string | undefined;
}

function send(listener: Listener, text: string): void {
  listener.isFull = !listener.response.write(text);
}

function frameOf(name: string, { events, position }: Delta): string {
  const data = JSON.stringify({ events });
  return `event: ${name}\nid: ${writePosition(position)}\ndata: ${data}\n\n`;
}
