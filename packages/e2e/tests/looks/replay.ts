import type { BrowserContext, Page } from '@playwright/test';
import { isIdle } from './isCall.ts';
import {
  type Call,
  keyOf,
  type RecordedResponse,
  type Recording,
} from './Recording.ts';

/** How the servers respond to a page. */
export type Answers =
  /** Responses are those of the recording. */
  | 'recorded'
  /** Only the sign-in gets a response: the page keeps loading. */
  | 'none'
  /** The sign-in works; every other response is a 503. */
  | 'failures';

/** The steps between the delays of responses, in milliseconds. */
const DELAY_MS = 40;
const DELAYS = 4;

/** How long a page has to be without requests until it counts as loaded, in milliseconds. */
const QUIET_MS = 150;

const json = (status: number, content: object): RecordedResponse => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(content),
});

const UNAVAILABLE = json(503, { error: 'Unavailable' });
const GONE = json(404, { error: 'Not recorded' });

/** The servers of a page, replayed from a recording inside the page. */
export interface Replay {
  readonly answers: Answers;
  /** Requests that are not recorded. */
  readonly missing: Set<string>;
  /** Resolves when the page has received everything that it requested. */
  loaded(page: Page): Promise<void>;
}

declare global {
  interface Window {
    answerCall(call: Call): Promise<RecordedResponse>;
  }
}

/**
 * Answers all calls of the pages of a context from a recording. Each response has its own constant
 * delay, so that parts of a page appear one after the other, as with real servers. Replaces
 * `fetch` in the page: if Playwright routed the requests, the browser would not cache the app.
 *
 * @param change - returns the changed body of a response.
 */
export async function replay(
  context: BrowserContext,
  recording: Recording,
  answers: Answers,
  change: (key: string, body: string) => string = (_, body) => body,
): Promise<Replay> {
  let open = 0;
  let changedAt = Date.now();
  const missing = new Set<string>();

  async function answer(call: Call): Promise<RecordedResponse> {
    const url = new URL(call.url);
    const isSession = url.pathname.startsWith('/api/auth/');
    if (isIdle(url) || (answers === 'none' && !isSession)) {
      return new Promise(() => undefined);
    }
    open += 1;
    const key = keyOf(call);
    const known = recording.find(call);
    if (!known && answers === 'recorded') {
      missing.add(key);
    }
    await new Promise(resolve => setTimeout(resolve, delayOf(key)));
    open -= 1;
    changedAt = Date.now();
    const response =
      answers === 'failures' && !isSession ? UNAVAILABLE : (known ?? GONE);
    return { ...response, body: change(key, response.body) };
  }

  await context.exposeFunction('answerCall', answer);
  await context.addInitScript(callServers);
  return {
    answers,
    missing,
    async loaded(page) {
      const isQuiet = () => open === 0 && Date.now() - changedAt > QUIET_MS;
      while (answers !== 'none' && !isQuiet()) {
        await page.waitForTimeout(20);
      }
    },
  };
}

/** Runs in the page before its own scripts. */
function callServers(): void {
  const load = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, origin } = new URL(request.url);
    if (origin === window.location.origin && !pathname.startsWith('/api/')) {
      return load(request);
    }
    const { status, contentType, body } = await window.answerCall({
      method: request.method,
      url: request.url,
      body: (await request.text()) || null,
    });
    return new Response(status === 204 || status === 304 ? null : body, {
      status,
      headers: { 'content-type': contentType },
    });
  };
  class SilentSocket extends EventTarget {
    close = () => undefined;
    send = () => undefined;
    readyState = 0;
  }
  Object.assign(window, { WebSocket: SilentSocket, EventSource: SilentSocket });
  window.navigator.sendBeacon = () => true;
}

function delayOf(key: string): number {
  const sum = [...key].reduce(
    (total, letter) => total + letter.charCodeAt(0),
    0,
  );
  return (sum % DELAYS) * DELAY_MS;
}
