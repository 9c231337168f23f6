import type { LogGroup, LogPlace, LogSection } from '../api/BuildsApi';

/** A row of a log: the head of a step, the head of a group of lines, a line, or lines that are left out. */
export type LogRow =
  | { kind: 'section'; section: number }
  | { kind: 'group'; section: number; line: number; group: LogGroup }
  | { kind: 'line'; section: number; line: number }
  | { kind: 'omitted'; section: number; lines: number };

/** What of a log is unfolded. */
export interface Unfolded {
  isSectionOpen(section: number): boolean;
  isGroupOpen(place: LogPlace): boolean;
  /** A line that is to be seen, however far from the end. */
  focus?: LogPlace;
}

/** Rows in a sequence: a head, or lines one after the other. */
interface Run {
  /** Index of its first row. */
  start: number;
  rows: number;
  rowAt(offset: number): LogRow;
  section: number;
  /** The lines that it shows; a head of a group shows one. */
  from: number;
  to: number;
}

/** Rows of one section; browsers draw no box that is many times as high. */
export const MAX_ROWS = 800_000;

/** The rows of a log, of which only those in sight are made. */
export class LogRows {
  readonly #runs: Run[] = [];
  #count = 0;

  constructor(sections: readonly LogSection[], unfolded: Unfolded) {
    for (const [index, section] of sections.entries()) {
      this.#push({ kind: 'section', section: index });
      if (unfolded.isSectionOpen(index)) {
        this.#addLines(section, index, unfolded);
      }
    }
  }

  get count(): number {
    return this.#count;
  }

  at(index: number): LogRow {
    let low = 0;
    let high = this.#runs.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#runs[middle].start <= index) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    const run = this.#runs[low];
    return run.rowAt(index - run.start);
  }

  /** The row of a line, or of the head that it is folded under. */
  indexOf({ section, line }: LogPlace): number | undefined {
    const own = this.#runs.filter(run => run.section === section);
    const run = own.findLast(({ from }) => from <= line) ?? own[0];
    return (
      run && run.start + Math.min(Math.max(0, line - run.from), run.rows - 1)
    );
  }

  /** The row of the head of a section. */
  headOf(section: number): number | undefined {
    return this.#runs.find(run => run.section === section)?.start;
  }

  #addLines(section: LogSection, index: number, unfolded: Unfolded): void {
    const { focus } = unfolded;
    const end = section.lines;
    let from = Math.max(0, end - MAX_ROWS);
    if (focus?.section === index && focus.line < from) {
      from = Math.max(0, focus.line - MAX_ROWS / 2);
    }
    const to = Math.min(end, from + MAX_ROWS);
    if (from > 0) {
      this.#push({ kind: 'omitted', section: index, lines: from });
    }
    let line = from;
    for (const group of section.groups) {
      if (group.from < line || group.from >= to) {
        continue;
      }
      this.#pushLines(index, line, group.from);
      this.#push(
        { kind: 'group', section: index, line: group.from, group },
        group.from,
      );
      const after = group.to ?? to;
      if (unfolded.isGroupOpen({ section: index, line: group.from })) {
        this.#pushLines(index, group.from + 1, Math.min(after, to));
      }
      // The line that ends it says nothing.
      line = group.to === null ? to : group.to + 1;
    }
    this.#pushLines(index, line, to);
    if (to < end) {
      this.#push({ kind: 'omitted', section: index, lines: end - to }, to);
    }
  }

  #push(row: LogRow, line = -1): void {
    this.#runs.push({
      start: this.#count,
      rows: 1,
      rowAt: () => row,
      section: row.section,
      from: line,
      to: line + 1,
    });
    this.#count += 1;
  }

  #pushLines(section: number, from: number, to: number): void {
    if (from < to) {
      this.#runs.push({
        start: this.#count,
        rows: to - from,
        rowAt: offset => ({ kind: 'line', section, line: from + offset }),
        section,
        from,
        to,
      });
      this.#count += to - from;
    }
  }
}
