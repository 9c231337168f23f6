import type { LogLine, LogWindow } from '../api/BuildsApi';
import { type LogSpan, readLines } from './ansi';

/** Lines per request. */
const PAGE_LINES = 200;
/** Maximum number of cached pages; the least recently used ones are evicted. */
const MAX_PAGES = 200;
const RETRY_MS = 3_000;

/** A line to show. */
export interface ShownLine {
  spans: LogSpan[];
  at: number | null;
}

interface Page {
  lines: ShownLine[];
}

/** Caches the pages of a log around the visible lines, never the whole log. */
export class LogPages {
  readonly #read: (window: LogWindow) => Promise<LogLine[]>;
  readonly #pages = new Map<string, Page>();
  readonly #loading = new Set<string>();
  readonly #failedAt = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  #version = 0;
  #hasFailed = false;

  constructor(read: (window: LogWindow) => Promise<LogLine[]>) {
    this.#read = read;
  }

  /** Increases with every page that is loaded. */
  readonly version = () => this.#version;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** True if the last page could not be loaded; it is retried. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Returns a line of a section; undefined until it is loaded. */
  line(section: number, index: number): ShownLine | undefined {
    const page = this.#pages.get(keyOf(section, index));
    return page?.lines[index % PAGE_LINES];
  }

  /**
   * Loads the page of a line unless it is loaded or loading.
   *
   * @param total - number of lines in the section: the last page is reloaded when it
   * grows.
   */
  need(section: number, index: number, total: number): void {
    const key = keyOf(section, index);
    const from = index - (index % PAGE_LINES);
    const known = this.#pages.get(key)?.lines.length ?? 0;
    const failedAt = this.#failedAt.get(key) ?? -Infinity;
    if (
      known >= Math.min(PAGE_LINES, total - from) ||
      this.#loading.has(key) ||
      Date.now() - failedAt < RETRY_MS
    ) {
      return;
    }
    this.#loading.add(key);
    this.#read({ section, from, count: PAGE_LINES })
      .then(lines => {
        this.#keep(key, lines);
        this.#failedAt.delete(key);
        this.#hasFailed = false;
      })
      .catch(() => {
        this.#failedAt.set(key, Date.now());
        this.#hasFailed = true;
        // Views that still need the page request it again.
        setTimeout(() => this.#tell(), RETRY_MS);
      })
      .finally(() => {
        this.#loading.delete(key);
        this.#tell();
      });
  }

  #keep(key: string, lines: readonly LogLine[]): void {
    const spans = readLines(lines.map(({ text }) => text));
    this.#pages.delete(key);
    this.#pages.set(key, {
      lines: lines.map(({ at }, index) => ({ spans: spans[index], at })),
    });
    if (this.#pages.size > MAX_PAGES) {
      const [oldest] = this.#pages.keys();
      this.#pages.delete(oldest);
    }
  }

  #tell(): void {
    this.#version += 1;
    this.#listeners.forEach(listener => listener());
  }
}

function keyOf(section: number, index: number): string {
  return `${section}:${Math.floor(index / PAGE_LINES)}`;
}
