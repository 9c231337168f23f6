import type { LogLine, LogWindow } from '../api/BuildsApi';
import { type LogSpan, readLines } from './ansi';

/** Lines that are read at a time. */
const PAGE_LINES = 200;
/** Pages that are kept: what was looked at long ago is read again. */
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

/** The lines of a log that were read, in pages: those around what is in sight, never all of it. */
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

  /** Rises with every page that was read. */
  readonly version = () => this.#version;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** True if the last page could not be read; it is tried again. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** The line of a section; undefined while it is not read. */
  line(section: number, index: number): ShownLine | undefined {
    const page = this.#pages.get(keyOf(section, index));
    return page?.lines[index % PAGE_LINES];
  }

  /**
   * Reads the page of a line unless it is there or on its way.
   *
   * @param total - lines of the section: the last page grows with it.
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
        // Whoever still needs it asks again.
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
