import { stripVTControlCharacters } from 'node:util';

/** Number of lines in a reason: the file, the kind of error, and what is wrong. */
const LINES = 3;
const LONGEST_REASON = 300;
/** Matches the characters that the bundler draws at the beginning of lines to frame its errors. */
const FRAME = /^[\s│├╰─▶×,`-]+(?:x )?/;

/**
 * Returns why a build failed, in one line: the first lines of its errors, without the warnings before
 * them; empty if it printed nothing.
 *
 * @param errors - what the build printed to stderr.
 */
export function reasonIn(errors: string): string {
  const lines = stripVTControlCharacters(errors)
    .split('\n')
    .map(line => line.replace(FRAME, '').trim())
    .filter(Boolean);
  const first = lines.findIndex(line => /error|failed|cannot/i.test(line));
  return lines
    .slice(Math.max(first, 0))
    .slice(0, LINES)
    .join(' ')
    .slice(0, LONGEST_REASON);
}
