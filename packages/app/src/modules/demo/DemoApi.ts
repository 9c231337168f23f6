import { useSyncExternalStore } from 'react';
import { createApiRef, useApi } from '@backstage/frontend-plugin-api';
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
/** Interval of checks for a demo that someone else, or the command line, loads. */
const LOOK_MS = 10_000;
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
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param options.reload - reloads the portal, for its data and the user's new groups, regardless
   *   of who loaded or removed the demo.
   * @param options.memory - holds the last response, so that the banner above each page appears
   *   immediately instead of pushing the page down.
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
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) {
        this.#isAsked = false;
        clearTimeout(this.#timer);
      }
    };
  };

  load(): Promise<void> {
    return this.#act('POST');
  }

  /** @throws the error of the portal, for the dialog that confirms it. */
  async remove(): Promise<void> {
    await this.#act('DELETE');
    if (this.#failure) {
      throw this.#failure;
    }
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
    clearTimeout(this.#timer);
    const before = this.#demo?.phase;
    try {
      this.#demo = await this.#client.json<Demo>('/organisation');
      this.#memory.setItem(REMEMBERED, JSON.stringify(this.#demo));
    } catch {
      // The demo is optional: without a response, it is not offered.
    }
    this.#listeners.forEach(listener => listener());
    const phase = this.#demo?.phase;
    const isWorking = phase === 'loading' || phase === 'removing';
    if (
      before !== undefined &&
      before !== phase &&
      (phase === 'loaded' || phase === 'absent')
    ) {
      this.#reload();
    }
    // Without a phase, the portal has no demo, and never will.
    if (phase !== undefined && this.#listeners.size > 0) {
      this.#readIn(isWorking ? POLL_MS : LOOK_MS);
    }
  }

  /**
   * Reads the state again after a time; a hidden tab waits until it is visible, and a page on which
   * someone is typing until they have finished, because a reload would discard their text.
   */
  #readIn(ms: number): void {
    this.#timer = setTimeout(() => {
      if (document.visibilityState === 'hidden') {
        document.addEventListener(
          'visibilitychange',
          () => this.#listeners.size > 0 && void this.#read(),
          { once: true },
        );
      } else if (isWriting()) {
        this.#readIn(LOOK_MS);
      } else {
        void this.#read();
      }
    }, ms);
  }
}

/** Returns whether the cursor is in a field, or a dialog is open. */
function isWriting(): boolean {
  const isField = document.activeElement?.matches(
    'input, textarea, select, [contenteditable="true"]',
  );
  return isField || document.querySelector('[role="dialog"]') !== null;
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

/** {@link DemoApi} */
export const demoApiRef = createApiRef<DemoApi>().with({
  id: 'app.demo',
  pluginId: 'app',
});

/** Returns the demo organisation, with the actions on it. */
export function useDemo(): {
  /** Undefined until it is known. */
  demo: Demo | undefined;
  failure: Error | undefined;
  load: () => void;
  remove: () => Promise<void>;
} {
  const api = useApi(demoApiRef);
  const demo = useSyncExternalStore(api.subscribe, api.demo);
  const failure = useSyncExternalStore(api.subscribe, api.failure);
  return {
    demo,
    failure,
    load: () => void api.load(),
    remove: () => api.remove(),
  };
}
