/** Begins the trace that code-server prints where its native logger is not built. */
const MISSING_LOGGER = /Error: Could not locate the bindings file/;

/** What a trace goes on with: indented lines, and the end of the object behind it. */
const TRACE_GOES_ON = /^(?:\s|\})/;

/** Lines that say nothing: a time alone, and the signing module that VS Code's own build has and no other. */
const SAYS_NOTHING = /^(?:\[[\d:]+\])?\s*$|^File not found: .*\/vsda(?:_bg)?\./;

/**
 * Leaves out of an editor's log what looks like a fault and is none: code-server
 * is installed without its native logger, and prints traces of some 50 lines
 * about the files it looked for. All it loses is a log file of its own.
 *
 * @returns a function that tells whether a line is worth showing, to be asked
 * for each line in turn.
 */
export function createIdeLogFilter(): (line: string) => boolean {
  let inTrace = false;
  return line => {
    if (MISSING_LOGGER.test(line)) {
      inTrace = true;
    } else {
      inTrace &&= TRACE_GOES_ON.test(line);
    }
    return !inTrace && !SAYS_NOTHING.test(line);
  };
}
