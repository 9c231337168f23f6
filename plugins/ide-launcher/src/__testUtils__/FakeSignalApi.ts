import type { SignalApi } from '@backstage/plugin-signals-react';
import type { WorkspaceSignal } from '@slipway/plugin-ide-launcher-common';

type Listener = Parameters<SignalApi['subscribe']>[1];

/** Signals that a test sends itself. */
export class FakeSignalApi implements SignalApi {
  readonly #listeners = new Set<Listener>();

  subscribe(_channel: string, onMessage: (message: never) => void) {
    const listener = onMessage as Listener;
    this.#listeners.add(listener);
    return { unsubscribe: () => this.#listeners.delete(listener) };
  }

  /** Delivers a signal to every page that listens. */
  send(signal: WorkspaceSignal): void {
    this.#listeners.forEach(listener => listener({ ...signal }));
  }
}
