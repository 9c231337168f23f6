import type { ToastApi, ToastApiMessage } from '@backstage/frontend-plugin-api';

/** A message shown at the foot of the window. */
export interface Toast extends ToastApiMessage {
  id: number;
}

/** Maximum number of messages, as more would cover the page; the oldest is removed. */
const LIMIT = 4;

/** Contains the displayed messages, newest last. */
export class Toasts implements ToastApi {
  #shown: readonly Toast[] = [];
  #lastId = 0;
  readonly #listeners = new Set<() => void>();

  post(message: ToastApiMessage): { close(): void } {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#show([...this.#shown, { ...message, id }].slice(-LIMIT));
    return { close: () => this.close(id) };
  }

  close(id: number): void {
    this.#show(this.#shown.filter(toast => toast.id !== id));
  }

  /** Used by `useSyncExternalStore`. */
  readonly shown = (): readonly Toast[] => this.#shown;

  /** Used by `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #show(toasts: readonly Toast[]): void {
    this.#shown = toasts;
    this.#listeners.forEach(listener => listener());
  }
}
