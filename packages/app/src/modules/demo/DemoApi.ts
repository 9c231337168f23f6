import { createApiRef } from '@backstage/frontend-plugin-api';
import { ServiceClient, type ServiceCall } from '@slipway/app-react';

/** The progress for one part of the platform. */
export interface DemoStep {
  id: string;
  title: string;
  status: 'waiting' | 'running' | 'done' | 'failed';
  done: number;
  total: number;
}

/** The demo organisation, as reported by the portal. */
export interface Demo {
  phase: 'absent' | 'loading' | 'loaded' | 'removing' | 'failed';
  steps: DemoStep[];
  error: string | null;
  /** True if the user may load and remove it. */
  mayManage: boolean;
  /** Reason why it cannot be loaded here; null if it can. */
  refusal: string | null;
  writes: { id: string; title: string; writes: string }[];
}

const POLL_MS = 800;
/** Storage key of the last response. */
const REMEMBERED = 'slipway.demo';

/**
 * Tracks the state of the demo organisation, with shared requests for all components
 * that show it.
 */
export class DemoApi {
  readonly #client: Pick<ServiceClient, 'json'>;
  readonly #reload: () => void;
  readonly #memory: Pick<Storage, 'getItem' | 'setItem'>;
  readonly #listeners = new Set<() => void>();
  #demo: Demo | undefined;
  #failure: Error | undefined;
  #isAsked = false;

  /**
   * @param options.reload - reloads the portal, for the user's new groups.
   * @param options.memory - holds the last response, so that the banner above each page
   *   appears immediately instead of pushing the page down.
   */
  constructor(options: {
    client: Pick<ServiceClient, 'json'>;
    reload: () => void;
    memory: Pick<Storage, 'getItem' | 'setItem'>;
  }) {
    this.#client = options.client;
    this.#reload = options.reload;
    this.#memory = options.memory;
    this.#demo = parseDemo(options.memory.getItem(REMEMBERED));
  }

  /** Undefined until it is known, and in a portal without a demo. */
  demo = (): Demo | undefined => this.#demo;

  /** The error of loading or removing it. */
  failure = (): Error | undefined => this.#failure;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (!this.#isAsked) {
      this.#isAsked = true;
      void this.#read();
    }
    return () => this.#listeners.delete(listener);
  };

  load(): Promise<void> {
    return this.#act('POST');
  }

  remove(): Promise<void> {
    return this.#act('DELETE');
  }

  async #act(method: ServiceCall['method']): Promise<void> {
    this.#failure = undefined;
    try {
      await this.#client.json('/organisation', { method });
    } catch (error) {
      this.#failure = error as Error;
    }
    await this.#read();
  }

  async #read(): Promise<void> {
    const before = this.#demo?.phase;
    try {
      this.#demo = await this.#client.json<Demo>('/organisation');
      this.#memory.setItem(REMEMBERED, JSON.stringify(this.#demo));
    } catch {
      // The demo is optional: without a response, it is not offered.
    }
    this.#listeners.forEach(listener => listener());
    const phase = this.#demo?.phase;
    if (phase === 'loading' || phase === 'removing') {
      setTimeout(() => void this.#read(), POLL_MS);
    } else if (
      (before === 'loading' && phase === 'loaded') ||
      (before === 'removing' && phase === 'absent')
    ) {
      this.#reload();
    }
  }
}

/**
 * Reads the stored response if the demo was loaded; other states are not reliable until
 * the next response.
 */
function parseDemo(text: string | null): Demo | undefined {
  try {
    const demo: Demo | null = JSON.parse(text ?? 'null');
    return demo?.phase === 'loaded' ? demo : undefined;
  } catch {
    return undefined;
  }
}

export const demoApiRef = createApiRef<DemoApi>({ id: 'app.demo' });
