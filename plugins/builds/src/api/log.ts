/** A foldable range of lines within a section, counted from 0. */
export interface LogGroup {
  title: string;
  /** The first line, which contains the title. */
  from: number;
  /** The last line; null until the group ends. */
  to: number | null;
}

/** The lines of one step, or those that the server wrote before the first step. */
export interface LogSection {
  /** Index of the step. */
  step: number | null;
  lines: number;
  groups: LogGroup[];
}

/** Length of a log, and its sections. */
export interface LogOutline {
  sections: LogSection[];
  /** True if more lines may follow. */
  more: boolean;
}

/** A range of lines of one section. */
export interface LogWindow {
  section: number;
  from: number;
  count: number;
}

export interface LogLine {
  text: string;
  /**
   * Milliseconds since the Unix epoch; null if the server does not know when the line
   * was written.
   */
  at: number | null;
}

/** A line, identified by the index of its section and its index within it. */
export interface LogPlace {
  section: number;
  line: number;
}

/** The lines that contain a text, in log order. */
export interface LogMatches {
  matches: LogPlace[];
  /** True if there are more matches than listed. */
  more: boolean;
}
