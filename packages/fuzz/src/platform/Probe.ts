/** Measurements of a process. */
export interface Reading {
  /** Longest time that its event loop was blocked since the last reading, in CPU time. */
  longestMs: number;
  /** Resident memory in bytes. */
  rss: number;
  /** Bytes used by JavaScript objects and their buffers. */
  used: number;
}

/** Queries the probe that is preloaded into a process. */
export class Probe {
  readonly #url: string;

  constructor(port: number) {
    this.#url = `http://127.0.0.1:${port}/`;
  }

  /** Reads the measurements and restarts them. */
  async read(): Promise<Reading> {
    return this.#ask('');
  }

  /** Reads the measurements after a garbage collection, so that only memory in use counts. */
  async readCollected(): Promise<Reading> {
    return this.#ask('collected');
  }

  async #ask(what: string): Promise<Reading> {
    const response = await fetch(`${this.#url}${what}`);
    return (await response.json()) as Reading;
  }
}
