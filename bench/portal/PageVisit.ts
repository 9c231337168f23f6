import { type Browser, type BrowserContext, type Page } from '@playwright/test';

/** Network traffic of a visit. */
export interface Traffic {
  /** Bytes of scripts as transferred. */
  scriptBytes: number;
  requests: number;
}

/** A first visit with an empty cache, and its network traffic. */
export class PageVisit {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #scripts = new Set<string>();
  readonly #traffic: Traffic = { scriptBytes: 0, requests: 0 };

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
    session.on('Network.requestWillBeSent', ({ request }) => {
      // In production the API has the same origin as the pages, and needs no
      // preflights.
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
        if (this.#scripts.has(requestId)) {
          this.#traffic.scriptBytes += encodedDataLength;
        }
      },
    );
    await session.send('Network.enable');
  }

  /** Returns the traffic once the network is idle. */
  async traffic(): Promise<Traffic> {
    await this.page.waitForLoadState('networkidle');
    return { ...this.#traffic };
  }

  end(): Promise<void> {
    return this.#context.close();
  }
}
