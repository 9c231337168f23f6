/** Lines of a section that can be folded, both ends counted from 0. */
export interface LogGroup {
  title: string;
  /** The line that begins it, and says its title. */
  from: number;
  /** The line that ends it; null while none does. */
  to: number | null;
}

/** The lines of one step, or of the server before all steps. */
export interface LogSection {
  /** Position of the step. */
  step: number | null;
  lines: number;
  groups: LogGroup[];
}

/** How long a log is, and how it is divided. */
export interface LogOutline {
  sections: LogSection[];
  /** True if more lines may follow. */
  more: boolean;
}

/** Some lines of the section at a position. */
export interface LogWindow {
  section: number;
  from: number;
  count: number;
}

export interface LogLine {
  text: string;
  /** Milliseconds since the Unix epoch, where the server knows when it was written. */
  at: number | null;
}

/** A line, by the position of its section and its own within that. */
export interface LogPlace {
  section: number;
  line: number;
}

/** The lines that contain a text, in the order of the log. */
export interface LogMatches {
  matches: LogPlace[];
  /** True if there are more than these. */
  more: boolean;
}
