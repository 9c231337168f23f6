/** What a process told of itself. */
export interface Reading {
  /** Longest time since the last reading that its event loop was held, in processor time. */
  longestMs: number;
  /** Bytes of memory that are resident. */
  rss: number;
  /** Bytes that objects of JavaScript and their buffers occupy. */
  used: number;
}

/** Asks the probe that is preloaded into a process. */
export class Probe {
  readonly #url: string;

  constructor(port: number) {
    this.#url = `http://127.0.0.1:${port}/`;
  }

  /** Reads, and has the next reading start from here. */
  async read(): Promise<Reading> {
    return this.#ask('');
  }

  /** Reads once the process has collected its garbage: what is left is in use. */
  async readCollected(): Promise<Reading> {
    return this.#ask('collected');
  }

  async #ask(what: string): Promise<Reading> {
    const response = await fetch(`${this.#url}${what}`);
    return (await response.json()) as Reading;
  }
}
