import { open } from 'node:fs/promises';
import { LogTimes } from './BuildLog.ts';
import { type ScannedLine, scanLines } from './scanLines.ts';
import { type LineOwner, type NamedSteps, StepLines } from './StepLines.ts';

/** Number of lines of a section between two remembered offsets. */
const STRIDE = 200;
const MAX_LINES = 1_000;
const MAX_MATCHES = 1_000;
/** Maximum number of foldable groups of one log. */
const MAX_GROUPS = 2_000;
const MAX_TITLE = 300;
const COLON = ':'.charCodeAt(0);
const HASH = '#'.charCodeAt(0);

/** A foldable range of lines within a section, inclusive, counted from 0. */
interface LogGroup {
  title: string;
  from: number;
  /** The last line; null while the group is open. */
  to: number | null;
}

/** The lines of one step, or of the server before all steps. */
export interface LogSection {
  /** Position of the step. */
  step: number | null;
  lines: number;
  groups: LogGroup[];
}

/** A line of a section. */
export interface LogLine {
  text: string;
  /** Milliseconds since the Unix epoch; null if unknown. */
  at: number | null;
}

interface Section extends LogSection {
  /** The offset of one in {@link STRIDE} lines, and the step of the line before it. */
  places: { start: number; current: number | null }[];
}

/**
 * Indexes the lines of each step in the log of a build of any length: it remembers the
 * offset of one in 200 lines and reads the lines themselves from the file.
 */
export class LogIndex {
  readonly #file: string;
  readonly #steps: NamedSteps;
  readonly #owners: StepLines;
  readonly #sections: Section[] = [];
  /** The positions of the sections, by step. */
  readonly #positions = new Map<number | null, number>();
  #end = 0;
  #current: number | null = null;
  #groups = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(file: string, steps: NamedSteps) {
    this.#file = file;
    this.#steps = steps;
    this.#owners = new StepLines(steps);
  }

  /** Checks whether the index was built for steps with these names, in this order. */
  isOf(steps: NamedSteps): boolean {
    return (
      steps.length === this.#steps.length &&
      steps.every(({ name }, index) => name === this.#steps[index].name)
    );
  }

  /**
   * Indexes the added part of the log.
   *
   * @param to - size of the log in bytes.
   * @param isWhole - whether the log is complete.
   */
  extend(to: number, isWhole: boolean): Promise<void> {
    const next = this.#last.then(async () => {
      const range = { from: this.#end, to, isWhole };
      const add = (line: ScannedLine, owner: LineOwner) =>
        this.#add(line, owner);
      this.#end = await this.#scan(range, this.#current, add);
    });
    this.#last = next.catch(() => undefined);
    return next;
  }

  sections(): LogSection[] {
    return this.#sections.map(({ places, ...section }) => section);
  }

  /** Reads lines of the section at a position, a thousand at most. */
  async lines(
    position: number,
    { from, count }: { from: number; count: number },
  ): Promise<LogLine[]> {
    const section = this.#sections[position];
    const place = section?.places[Math.floor(from / STRIDE)];
    if (!place || from >= section.lines) {
      return [];
    }
    const wanted = Math.min(count, MAX_LINES, section.lines - from);
    const timeAt = await new LogTimes(this.#file).read();
    const found: LogLine[] = [];
    let skipped = from % STRIDE;
    await this.#scan(this.#until(place.start), place.current, (line, owner) => {
      if (owner.step === section.step && !owner.isHeading) {
        if (skipped === 0) {
          found.push({
            text: textOf(line, owner),
            at: timeAt(line.start),
          });
        }
        skipped = Math.max(0, skipped - 1);
      }
      return found.length < wanted;
    });
    return found;
  }

  /** Finds the lines that contain a text, ignoring case, a thousand at most. */
  async search(text: string): Promise<{
    matches: { section: number; line: number }[];
    more: boolean;
  }> {
    const sought = text.toLowerCase();
    const seen = this.#sections.map(() => 0);
    const matches: { section: number; line: number }[] = [];
    await this.#scan(this.#until(0), null, (line, owner) => {
      const section = this.#positionOf(owner.step);
      if (!owner.isHeading) {
        if (plain(textOf(line, owner)).toLowerCase().includes(sought)) {
          matches.push({ section, line: seen[section] });
        }
        seen[section] += 1;
      }
      return matches.length <= MAX_MATCHES;
    });
    const more = matches.length > MAX_MATCHES;
    return { matches: matches.slice(0, MAX_MATCHES), more };
  }

  #add(line: ScannedLine, owner: LineOwner): boolean {
    const { step, isHeading } = owner;
    const section = this.#sections[this.#positionOf(step)];
    if (!isHeading) {
      if (section.lines % STRIDE === 0) {
        section.places.push({ start: line.start, current: this.#current });
      }
      this.#addGroup(section, line, owner);
      section.lines += 1;
    }
    if (owner.prefixBytes === 0) {
      this.#current = step;
    }
    return true;
  }

  #addGroup(section: Section, line: ScannedLine, owner: LineOwner): void {
    const { buffer, from } = line;
    const first = buffer[from + owner.prefixBytes];
    // Both markers are GitHub's: `::group::` in logs, `##[group]` of its runner.
    if (first !== COLON && first !== HASH) {
      return;
    }
    const text = textOf(line, owner).slice(0, MAX_TITLE);
    const [, title] = /^(?:::group::|##\[group\])(.*)$/.exec(text) ?? [];
    const last = section.groups.at(-1);
    const isEnd = /^(?:::endgroup::|##\[endgroup\])/.test(text);
    if (last?.to === null && (isEnd || title !== undefined)) {
      last.to = isEnd ? section.lines : section.lines - 1;
    }
    if (title !== undefined && this.#groups < MAX_GROUPS) {
      this.#groups += 1;
      section.groups.push({
        title: plain(title),
        from: section.lines,
        to: null,
      });
    }
  }

  #positionOf(step: number | null): number {
    let position = this.#positions.get(step);
    if (position === undefined) {
      position = this.#sections.length;
      this.#sections.push({ step, lines: 0, groups: [], places: [] });
      this.#positions.set(step, position);
    }
    return position;
  }

  #until(from: number) {
    return { from, to: this.#end, isWhole: true };
  }

  /** Reads lines with the step that each belongs to. @returns the offset of the next line, in bytes. */
  async #scan(
    range: { from: number; to: number; isWhole: boolean },
    before: number | null,
    onLine: (line: ScannedLine, owner: LineOwner) => boolean,
  ): Promise<number> {
    const file = await open(this.#file).catch(() => undefined);
    if (!file) {
      return range.from;
    }
    let current = before;
    try {
      return await scanLines(file, range, line => {
        const owner = this.#owners.ownerOf(line, current);
        current = owner.prefixBytes === 0 ? owner.step : current;
        return onLine(line, owner);
      });
    } finally {
      await file.close();
    }
  }
}

function textOf(
  { buffer, from, to }: ScannedLine,
  { prefixBytes }: LineOwner,
): string {
  return buffer.toString('utf8', from + prefixBytes, to);
}

const CODES =
  // eslint-disable-next-line no-control-regex
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]+[0-~])/g;

/** Returns a line without escape codes. */
function plain(text: string): string {
  return text.includes('\u001b') ? text.replace(CODES, '') : text;
}
