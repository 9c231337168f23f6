import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, type BrowserContext, type Page } from '@playwright/test';

/** Network traffic of a visit. */
export interface Traffic {
  /** Transferred bytes of scripts, as compressed. */
  scriptBytes: number;
  requests: number;
}

/** The network is idle after this long without a request. */
const IDLE_MS = 500;
const TIMEOUT_MS = 60_000;

/** A first visit with an empty cache, and its network traffic. */
export class PageVisit {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #scripts = new Set<string>();
  readonly #traffic: Traffic = { scriptBytes: 0, requests: 0 };
  readonly #inFlight = new Set<string>();
  #lastAt = performance.now();

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.page = page;
  }

  static async begin(browser: Browser, origin: string): Promise<PageVisit> {
    const context = await browser.newContext({
      baseURL: origin,
      viewport: { width: 1440, height: 900 },
    });
    const page = await context.newPage();
    const visit = new PageVisit(context, page);
    await visit.#listen();
    return visit;
  }

  async #listen(): Promise<void> {
    const session = await this.#context.newCDPSession(this.page);
    session.on('Network.requestWillBeSent', ({ request, requestId }) => {
      this.#inFlight.add(requestId);
      this.#lastAt = performance.now();
      // Ignores preflights: in production the API has the same origin as the pages and
      // needs none.
      if (/^https?:/.test(request.url) && request.method !== 'OPTIONS') {
        this.#traffic.requests += 1;
      }
    });
    session.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Script') {
        this.#scripts.add(requestId);
      }
    });
    session.on(
      'Network.loadingFinished',
      ({ requestId, encodedDataLength }) => {
        this.#end(requestId);
        if (this.#scripts.has(requestId)) {
          this.#traffic.scriptBytes += encodedDataLength;
        }
      },
    );
    session.on('Network.loadingFailed', ({ requestId }) =>
      this.#end(requestId),
    );
    await session.send('Network.enable');
  }

  #end(requestId: string): void {
    this.#inFlight.delete(requestId);
    this.#lastAt = performance.now();
  }

  /**
   * Returns the traffic once the network is idle. Playwright's `networkidle` only covers the first
   * load, not requests that a click triggers.
   */
  async traffic(): Promise<Traffic> {
    const deadline = performance.now() + TIMEOUT_MS;
    const isIdle = () =>
      this.#inFlight.size === 0 && performance.now() - this.#lastAt > IDLE_MS;
    while (!isIdle()) {
      if (performance.now() > deadline) {
        throw new Error(`${this.#inFlight.size} requests did not end`);
      }
      await sleep(50);
    }
    return { ...this.#traffic };
  }

  end(): Promise<void> {
    return this.#context.close();
  }
}
