import type { SignalApi } from '@backstage/plugin-signals-react';
import type { WorkspaceSignal } from '@slipway/plugin-ide-launcher-common';

type Listener = Parameters<SignalApi['subscribe']>[1];

/** A signal API whose signals are sent by the test. */
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
