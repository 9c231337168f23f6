import { stripVTControlCharacters, styleText } from 'node:util';
import type { PartDefinition } from '../PartDefinition.ts';

const OWN_NAME = 'slipway';
const COLOURS = ['cyan', 'magenta', 'green', 'yellow', 'blue', 'red'] as const;

/** Keeps a colour that a part left open from running into the next line. */
const RESET = '\u001b[0m';

/** What Node says on its own account about dependencies, not about the platform. */
const COMMON_NOISE = [
  /^\s*$/,
  /\b(Deprecation|Experimental)Warning:/,
  /^\(Use `node --trace-/,
];

/** What the log has to know of the part that a line comes from. */
type LoggedPart = Pick<PartDefinition, 'name' | 'noise' | 'redundant'>;

export interface PlatformLogOptions {
  /** Names of the parts, for the width and colours of the prefixes. */
  parts: readonly string[];
  write: (text: string) => void;
  /** True when `write` ends at a terminal that shows colours. */
  colour: boolean;
}

/** One log for all parts: every line says whose it is. */
export class PlatformLog {
  readonly #options: PlatformLogOptions;
  readonly #width: number;

  constructor(options: PlatformLogOptions) {
    this.#options = options;
    this.#width = Math.max(
      ...[OWN_NAME, ...options.parts].map(name => name.length),
    );
  }

  /** A line of a part's own output, unless it is noise. */
  part({ name, noise = [], redundant = [] }: LoggedPart, output: string): void {
    const line = redundant.reduce(
      (text, pattern) => text.replace(pattern, ''),
      output,
    );
    const plain = stripVTControlCharacters(line);
    if ([...COMMON_NOISE, ...noise].some(pattern => pattern.test(plain))) {
      return;
    }
    const colour = COLOURS[this.#options.parts.indexOf(name) % COLOURS.length];
    const shown = this.#options.colour && line !== plain ? line + RESET : plain;
    this.#line(name, colour, shown);
  }

  /** What the runner itself has to say. */
  say(text: string): void {
    this.#line(OWN_NAME, 'bold', text);
  }

  /** What the runner says when something is wrong. */
  warn(text: string): void {
    this.#line(OWN_NAME, 'bold', this.#style('red', text));
  }

  /** Text that stands alone, without a prefix. */
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
