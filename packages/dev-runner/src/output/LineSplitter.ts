/** A prompt or a progress line without its end is shown after this long. */
const PARTIAL_LINE_MS = 500;

/** Turns output that arrives in arbitrary pieces into whole lines. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #rest = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** Takes the next piece; a line that it leaves open waits for its end. */
  write(chunk: string): void {
    clearTimeout(this.#timer);
    const lines = (this.#rest + chunk).split(/\r?\n/);
    this.#rest = lines.pop() ?? '';
    lines.forEach(line => this.#emit(line));
    if (this.#rest) {
      this.#timer = setTimeout(() => this.flush(), PARTIAL_LINE_MS);
    }
  }

  /** Gives out what is left, as a line. */
  flush(): void {
    clearTimeout(this.#timer);
    const rest = this.#rest;
    this.#rest = '';
    if (rest) {
      this.#emit(rest);
    }
  }

  /** A carriage return overwrites what stood in the line: only the last stays. */
  #emit(line: string): void {
    this.#onLine(line.slice(line.lastIndexOf('\r') + 1));
  }
}
