/** The number of entries within the window that means the IDE sends the tab back each time. */
const MAX_ENTRIES = 3;
const WINDOW_MS = 30_000;

/**
 * Remembers, for this tab, when it left for the IDE of a workspace.
 *
 * A visit without the IDE's cookie is sent back to the portal for a new ticket. Where the browser
 * refuses that cookie, the two would pass the tab to and fro without end.
 */
export class EntryRecord {
  readonly #key: string;
  readonly #storage: Storage;

  constructor(options: { workspaceId: string; storage: Storage }) {
    this.#key = `ide-launcher.entries.${options.workspaceId}`;
    this.#storage = options.storage;
  }

  /** Call before leaving. `now` in milliseconds since the epoch. */
  add(now: number = Date.now()): void {
    this.#storage.setItem(this.#key, [...this.#recent(now), now].join(','));
  }

  isLooping(now: number = Date.now()): boolean {
    return this.#recent(now).length >= MAX_ENTRIES;
  }

  clear(): void {
    this.#storage.removeItem(this.#key);
  }

  #recent(now: number): number[] {
    return (this.#storage.getItem(this.#key) ?? '')
      .split(',')
      .filter(Boolean)
      .map(Number)
      .filter(at => at > now - WINDOW_MS);
  }
}
