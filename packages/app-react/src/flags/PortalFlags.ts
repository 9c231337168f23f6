import {
  createApiRef,
  type DiscoveryApi,
  type FetchApi,
} from '@backstage/frontend-plugin-api';
import { keepConnected } from '../http/keepConnected';
import { readEvents } from '../http/readEvents';
import { ServiceClient } from '../http/ServiceClient';

/** The flags of the portal itself, as evaluated for the signed-in user. */
export interface PortalFlagsApi {
  /** Returns whether a flag is on; undefined if it does not exist or is not loaded yet. */
  get(name: string): boolean | undefined;
  /**
   * Keeps a flag up to date until the returned function is called.
   *
   * @param onChange - called when it may have changed.
   */
  follow(name: string, onChange: () => void): () => void;
}

/** {@link PortalFlagsApi} */
export const portalFlagsApiRef = createApiRef<PortalFlagsApi>().with({
  id: 'plugin.feature-flags.portal-flags',
  pluginId: 'feature-flags',
});

/** Milliseconds that the connection is kept after the last follower, for the next page. */
const KEPT_MS = 10_000;

/** Milliseconds from a failed read to the next; each further failure doubles them. */
const RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 60_000;

/**
 * {@link PortalFlagsApi} of the portal's backend, which reports changes of flags over a single
 * connection. Flags keep their last value while it is down.
 */
export class PortalFlags implements PortalFlagsApi {
  readonly #client: ServiceClient;
  readonly #values = new Map<string, boolean>();
  readonly #followers = new Map<string, Set<() => void>>();
  #connection: AbortController | undefined;
  #ending: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #retryMs = RETRY_MS;
  /** False until the first event, which triggers a read of all flags. */
  #isConnected = false;
  /** True until the read that is due has begun. */
  #isReadDue = false;
  /**
   * Number of the last read that was started; the next field is the newest one with a response.
   */
  #lastRead = 0;
  #lastAnswered = 0;

  constructor(options: { discoveryApi: DiscoveryApi; fetchApi: FetchApi }) {
    this.#client = new ServiceClient({ ...options, pluginId: 'feature-flags' });
  }

  get(name: string): boolean | undefined {
    return this.#values.get(name);
  }

  follow(name: string, onChange: () => void): () => void {
    clearTimeout(this.#ending);
    const followers = this.#followers.get(name) ?? new Set();
    followers.add(onChange);
    this.#followers.set(name, followers);
    if (!this.#connection) {
      this.#connection = new AbortController();
      this.#connect(this.#connection.signal);
    } else if (this.#isConnected) {
      this.#readSoon();
    }
    return () => {
      followers.delete(onChange);
      if (followers.size === 0 && this.#followers.get(name) === followers) {
        this.#followers.delete(name);
      }
      if (this.#followers.size === 0) {
        this.#ending = setTimeout(() => this.#disconnect(), KEPT_MS);
      }
    };
  }

  #connect(signal: AbortSignal): void {
    keepConnected(async onWorking => {
      const { body } = await this.#client.send('/portal-flags/changes', {
        signal,
      });
      try {
        // The first event says that the connection works.
        for await (const _ of readEvents(body)) {
          onWorking();
          this.#isConnected = true;
          this.#readSoon();
        }
      } finally {
        this.#isConnected = false;
      }
    }, signal);
  }

  #disconnect(): void {
    this.#connection?.abort();
    this.#connection = undefined;
  }

  /** Reads all flags of a page with one request, whichever components follow them. */
  #readSoon(): void {
    if (!this.#isReadDue) {
      this.#isReadDue = true;
      queueMicrotask(() => {
        this.#isReadDue = false;
        this.#read().catch(() => this.#readLater());
      });
    }
  }

  /** Reads again after a failed read: the next change may be far off. */
  #readLater(): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      // Otherwise the flags are read when it is connected again.
      if (this.#isConnected) {
        this.#readSoon();
      }
    }, this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
  }

  async #read(): Promise<void> {
    const names = [...this.#followers.keys()];
    if (names.length === 0) {
      return;
    }
    this.#lastRead += 1;
    const read = this.#lastRead;
    const { flags } = await this.#client.json<{
      flags: Record<string, boolean>;
    }>('/portal-flags', { query: { names: names.join(',') } });
    if (read < this.#lastAnswered) {
      // A later read has already returned.
      return;
    }
    this.#lastAnswered = read;
    clearTimeout(this.#retry);
    this.#retryMs = RETRY_MS;
    for (const name of names) {
      const value = Object.hasOwn(flags, name) ? flags[name] : undefined;
      if (value !== this.#values.get(name)) {
        if (value === undefined) {
          this.#values.delete(name);
        } else {
          this.#values.set(name, value);
        }
        this.#followers.get(name)?.forEach(onChange => onChange());
      }
    }
  }
}
