import type { LogGroup, LogPlace, LogSection } from '../api/BuildsApi';

/** A row of a log: the header of a step or group, a line, or a marker for omitted lines. */
export type LogRow =
  | { kind: 'section'; section: number }
  | { kind: 'group'; section: number; line: number; group: LogGroup }
  | { kind: 'line'; section: number; line: number }
  | { kind: 'omitted'; section: number; lines: number };

/** The unfolded steps and groups of a log. */
export interface Unfolded {
  isSectionOpen(section: number): boolean;
  isGroupOpen(place: LogPlace): boolean;
  /** A line that must be visible, even if lines around it are omitted. */
  focus?: LogPlace;
}

/** A run of consecutive rows: one header, or adjacent lines. */
interface Run {
  /** Index of its first row. */
  start: number;
  rows: number;
  rowAt(offset: number): LogRow;
  section: number;
  /** Range of the lines that it shows; a group header shows one. */
  from: number;
  to: number;
}

/** Maximum rows of one section: browsers limit the height of an element. */
export const MAX_ROWS = 800_000;

/** Maps a log to rows, and creates only the visible ones. */
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

  /** Returns the row index of a line, or of the header that it is folded under. */
  indexOf({ section, line }: LogPlace): number | undefined {
    const own = this.#runs.filter(run => run.section === section);
    const run = own.findLast(({ from }) => from <= line) ?? own[0];
    return (
      run && run.start + Math.min(Math.max(0, line - run.from), run.rows - 1)
    );
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
      // The end marker of a group is not shown.
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
