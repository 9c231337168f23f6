/** Begins the trace that code-server prints where its native logger is not built. */
const MISSING_LOGGER = /Error: Could not locate the bindings file/;

/** What a trace goes on with: indented lines, and the end of the object behind it. */
const TRACE_GOES_ON = /^(?:\s|\})/;

/** The editor's own time before a line; the log has its own column for that. */
const TIME = /^\[[\dTZ:.-]+\]\s*/;

/** Lines that say nothing: empty ones, and the signing module that VS Code's own build has and no other. */
const SAYS_NOTHING = /^\s*$|^File not found: .*\/vsda(?:_bg)?\./;

/**
 * Makes an editor's log fit to be read: takes off the editor's own times, and
 * leaves out what looks like a fault and is none. code-server is installed
 * without its native logger, and prints traces of some 50 lines about the files
 * it looked for; all it loses is a log file of its own.
 *
 * @returns a function to be asked for each line in turn, which answers the line
 * to show, or null for none.
 */
export function createIdeLogCleaner(): (line: string) => string | null {
  let inTrace = false;
  return line => {
    if (MISSING_LOGGER.test(line)) {
      inTrace = true;
    } else {
      inTrace &&= TRACE_GOES_ON.test(line);
    }
    const text = line.replace(TIME, '');
    return inTrace || SAYS_NOTHING.test(text) ? null : text;
  };
}
