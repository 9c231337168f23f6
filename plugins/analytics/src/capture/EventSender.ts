import { v7 as createUuid } from 'uuid';

const FLUSH_MS = 5_000;
const FLUSH_AT = 20;
const KEPT_AT_MOST = 500;

/** An event in the format of PostHog's SDKs. */
export interface OutgoingEvent {
  event: string;
  distinct_id: string;
  properties: Record<string, unknown>;
}

/**
 * Sends events in batches, and the remaining ones when the user leaves the page. Keeps a
 * limited number of events that could not be sent for the next attempt; their uuids make
 * resending harmless.
 */
export class EventSender {
  readonly #url: string;
  readonly #projectKey: string;
  #waiting: object[] = [];
  #timer: number | undefined;

  constructor(options: { host: string; projectKey: string }) {
    this.#url = `${options.host.replace(/(?<!\/)\/+$/, '')}/batch/`;
    this.#projectKey = options.projectKey;
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') {
        this.#leave();
      }
    });
    window.addEventListener('pagehide', () => this.#leave());
  }

  add(event: OutgoingEvent): void {
    this.#waiting.push({
      ...event,
      uuid: createUuid(),
      timestamp: new Date().toISOString(),
    });
    this.#waiting = this.#waiting.slice(-KEPT_AT_MOST);
    if (this.#waiting.length >= FLUSH_AT) {
      void this.flush();
    } else {
      this.#timer ??= window.setTimeout(() => void this.flush(), FLUSH_MS);
    }
  }

  async flush(): Promise<void> {
    window.clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#waiting;
    if (batch.length === 0) {
      return;
    }
    this.#waiting = [];
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        // This type avoids a preflight request, and `omit` leaves out the portal's session.
        headers: { 'content-type': 'text/plain' },
        credentials: 'omit',
        body: this.#body(batch),
      });
      if (response.status === 429 || response.status >= 500) {
        this.#keep(batch);
      }
    } catch {
      this.#keep(batch);
    }
  }

  #leave(): void {
    const batch = this.#waiting;
    if (batch.length > 0) {
      const body = new Blob([this.#body(batch)], { type: 'text/plain' });
      if (navigator.sendBeacon(this.#url, body)) {
        this.#waiting = [];
      }
    }
  }

  #keep(batch: object[]): void {
    this.#waiting = [...batch, ...this.#waiting].slice(-KEPT_AT_MOST);
    this.#timer ??= window.setTimeout(() => void this.flush(), 6 * FLUSH_MS);
  }

  #body(batch: object[]): string {
    return JSON.stringify({
      api_key: this.#projectKey,
      sent_at: new Date().toISOString(),
      batch,
    });
  }
}
