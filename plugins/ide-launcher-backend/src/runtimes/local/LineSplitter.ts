import { StringDecoder } from 'node:string_decoder';

/** A line longer than this is told in pieces of this many characters. */
const MAX_LINE_LENGTH = 4_000;

/**
 * Cuts the output of a program into lines, without ever holding more than one
 * of bounded length: a program may print gigabytes and no line break.
 */
export class LineSplitter {
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';

  /** Told each line; carriage returns end lines too. */
  constructor(private readonly onLine: (line: string) => void) {}

  write(chunk: Buffer): void {
    // A carriage return at the end waits for the line feed that may follow.
    const lines = (this.rest + this.decoder.write(chunk)).split(
      /\r\n|\n|\r(?!$)/,
    );
    this.rest = lines.pop() ?? '';
    lines.forEach(line => this.tell(line));
    while (this.rest.length > MAX_LINE_LENGTH) {
      this.onLine(this.rest.slice(0, MAX_LINE_LENGTH));
      this.rest = this.rest.slice(MAX_LINE_LENGTH);
    }
  }

  /** Tells what stands after the last line break. */
  end(): void {
    if (this.rest) {
      this.tell(this.rest.replace(/\r$/, ''));
      this.rest = '';
    }
  }

  private tell(line: string) {
    for (let start = 0; start === 0 || start < line.length;) {
      this.onLine(line.slice(start, start + MAX_LINE_LENGTH));
      start += MAX_LINE_LENGTH;
    }
  }
}
