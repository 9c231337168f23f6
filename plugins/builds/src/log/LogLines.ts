import Anser from 'anser';

/** A run of characters that look the same. */
interface LogSpan {
  text: string;
  /** Names of classes, e.g. `ansi-green`, `bold`. */
  classes: string[];
}

/** More would be more than a browser holds well; the whole log can be downloaded. */
const MAX_LINES = 100_000;
/** The longest code that is waited for; one that nothing ends is shown as text. */
const MAX_HELD = 200;

/**
 * A growing log as lines. Escape codes become names of classes and nothing else: no
 * markup of a log reaches the page. A colour holds until another takes its place, over
 * the ends of lines.
 */
export class LogLines {
  readonly #lines: LogSpan[][] = [];
  #open = '';
  #dropped = 0;
  /** Escape codes that hold at the end of the last line. */
  #held = '';

  /** Adds what came; the last line may go on in the next part. */
  add(part: string): void {
    const lines = (this.#open + part).split('\n');
    this.#open = lines.pop() ?? '';
    for (const line of lines) {
      this.#lines.push(this.#read(line));
    }
    const excess = this.#lines.length - MAX_LINES;
    if (excess > 0) {
      this.#lines.splice(0, excess);
      this.#dropped += excess;
    }
  }

  get count(): number {
    return this.#lines.length + (this.#open === '' ? 0 : 1);
  }

  /** Lines at the beginning that are not kept. */
  get dropped(): number {
    return this.#dropped;
  }

  at(index: number): readonly LogSpan[] {
    return this.#lines[index] ?? [{ text: visible(this.#open), classes: [] }];
  }

  /** True if the server itself begins a part of the build there. */
  isHeading(index: number): boolean {
    return this.at(index)[0]?.text.startsWith('==> ') ?? false;
  }

  textAt(index: number): string {
    return this.at(index)
      .map(({ text }) => text)
      .join('');
  }

  #read(line: string): LogSpan[] {
    const held = this.#held;
    this.#held = heldAfter(held, line);
    return Anser.ansiToJson(held + overwritten(line), {
      json: true,
      remove_empty: true,
      use_classes: true,
    }).map(entry => ({
      text: visible(entry.content),
      classes: classesOf(entry),
    }));
  }
}

/** What colours and weights a line leaves on; a reset ends them all. */
function heldAfter(held: string, line: string): string {
  let codes = held;
  // eslint-disable-next-line no-control-regex
  for (const [code, values] of line.matchAll(/\u001b\[([\d;]*)m/g)) {
    codes = /^0*$/.test(values) ? '' : codes + code;
  }
  return codes.slice(-MAX_HELD);
}

function classesOf(entry: Anser.AnserJsonEntry): string[] {
  const { fg, bg, decorations } = entry;
  const others = (decorations ?? []).filter(isName);
  // A background is a mark in its colour: in full it would drown the text of either theme.
  if (isName(bg)) {
    return [bg, 'marked', ...others];
  }
  return [...(isName(fg) ? [fg] : []), ...others];
}

/** Class names of the sixteen colours; other colours have none. */
function isName(name: string | null | undefined): name is string {
  return /^[a-z]+(-[a-z]+)*$/.test(name ?? '');
}

/** A carriage return starts the line again: progress bars leave their last state. */
function overwritten(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  return text.slice(text.lastIndexOf('\r') + 1);
}

/** Escape codes that are no colours: of the cursor, of titles and links. */
const CODES =
  // eslint-disable-next-line no-control-regex
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g;
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** Only what is to be read. */
function visible(text: string): string {
  return text.replace(CODES, '').replace(CONTROLS, '');
}

/** Indices of the lines that hold a text, whatever its case. */
export function findLines(lines: LogLines, text: string): number[] {
  const sought = text.toLowerCase();
  const found: number[] = [];
  if (sought !== '') {
    for (let index = 0; index < lines.count; index += 1) {
      if (lines.textAt(index).toLowerCase().includes(sought)) {
        found.push(index);
      }
    }
  }
  return found;
}
