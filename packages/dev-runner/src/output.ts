import { stripVTControlCharacters, styleText } from 'node:util';
import type { AddressRow, PartDefinition } from './parts.ts';

/** Formats a duration for people: `4.2 s`, `3 min 07 s`. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) {
    return `${seconds.toFixed(1)} s`;
  }
  const whole = Math.round(seconds);
  const rest = String(whole % 60).padStart(2, '0');
  return `${Math.floor(whole / 60)} min ${rest} s`;
}

/** Formats the addresses of the platform, with how to sign in, in aligned columns. */
export function addressTable(rows: readonly AddressRow[]): string {
  const widths = {
    label: Math.max(...rows.map(row => row.label.length)),
    url: Math.max(...rows.map(row => row.url.length)),
  };
  return rows
    .map(
      row =>
        `  ${row.label.padEnd(widths.label)}  ${row.url.padEnd(widths.url)}  ${
          row.signIn
        }`,
    )
    .join('\n');
}

/** An incomplete line, e.g. a prompt or progress indicator, is shown after this time. */
const PARTIAL_LINE_MS = 500;

/** Splits output that arrives in arbitrary chunks into lines. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #rest = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** Adds the next chunk; an incomplete line waits for its end. */
  write(chunk: string): void {
    clearTimeout(this.#timer);
    const lines = (this.#rest + chunk).split(/\r?\n/);
    this.#rest = lines.pop() ?? '';
    lines.forEach(line => this.#emit(line));
    if (this.#rest) {
      this.#timer = setTimeout(() => this.flush(), PARTIAL_LINE_MS);
    }
  }

  /** Emits the rest as a line. */
  flush(): void {
    clearTimeout(this.#timer);
    const rest = this.#rest;
    this.#rest = '';
    if (rest) {
      this.#emit(rest);
    }
  }

  /** A carriage return overwrites the current line, so only the last text is kept. */
  #emit(line: string): void {
    this.#onLine(line.slice(line.lastIndexOf('\r') + 1));
  }
}

const OWN_NAME = 'slipway';
const COLOURS = ['cyan', 'magenta', 'green', 'yellow', 'blue', 'red'] as const;

/** Keeps colours that a part did not reset from running into the next line. */
const RESET = '\u001b[0m';

/** Warnings of Node.js about dependencies, not about the platform. */
const COMMON_NOISE = [
  /^\s*$/,
  /\b(Deprecation|Experimental)Warning:/,
  /^\(Use `node --trace-/,
];

/** The properties of a line's part that the log uses. */
type LoggedPart = Pick<PartDefinition, 'name' | 'noise' | 'redundant'>;

interface PlatformLogOptions {
  /** Names of the parts, for the width and colours of the prefixes. */
  parts: readonly string[];
  write: (text: string) => void;
  /** True if `write` ends at a terminal with colours. */
  colour: boolean;
  /** True to log noise and redundant text too. */
  verbose?: boolean;
}

/** Combines the output of all parts in one log, with the part's name on every line. */
export class PlatformLog {
  readonly #options: PlatformLogOptions;
  readonly #width: number;

  constructor(options: PlatformLogOptions) {
    this.#options = options;
    this.#width = Math.max(
      ...[OWN_NAME, ...options.parts].map(name => name.length),
    );
  }

  /** Logs a line of a part's own output, unless it is noise. */
  part({ name, noise = [], redundant = [] }: LoggedPart, output: string): void {
    const { colour, parts, verbose = false } = this.#options;
    const plain = stripVTControlCharacters(output);
    const isNoise = [...COMMON_NOISE, ...noise].some(each => each.test(plain));
    if (isNoise && !verbose) {
      return;
    }
    // Colour codes may be between any two words, so a shortened line loses its colours.
    const short = verbose
      ? plain
      : redundant.reduce((text, each) => text.replace(each, ''), plain);
    const isColoured = colour && short === plain && output !== plain;
    this.#line(
      name,
      COLOURS[parts.indexOf(name) % COLOURS.length],
      isColoured ? output + RESET : short,
    );
  }

  /** Logs a message of the runner itself. */
  say(text: string): void {
    this.#line(OWN_NAME, 'bold', text);
  }

  /** Logs a warning of the runner. */
  warn(text: string): void {
    this.#line(OWN_NAME, 'bold', this.#style('red', text));
  }

  /** Prints text without a prefix. */
  block(text: string): void {
    this.#options.write(`\n${text}\n\n`);
  }

  #line(name: string, style: Parameters<typeof styleText>[0], text: string) {
    const prefix = this.#style(style, `${name.padEnd(this.#width)} │`);
    this.#options.write(`${prefix} ${text}\n`);
  }

  #style(style: Parameters<typeof styleText>[0], text: string): string {
    return this.#options.colour
      ? styleText(style, text, { validateStream: false })
      : text;
  }
}
