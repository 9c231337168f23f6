import type { TokenReader } from './TokenReader.ts';

const LONGEST = 300;
const MOST_REPETITIONS = 20;

/**
 * Rejects regular expressions that the engines interpret differently, and those with
 * nested repetitions, which take more than linear time in an engine that backtracks.
 * @throws InvalidRequestError
 */
export function assertSafePattern(pattern: string, reader: TokenReader): void {
  const fault = whatIsUnsafe(pattern);
  if (fault) {
    throw reader.faultBefore(`has a regular expression that ${fault}`);
  }
}

/** Returns why a pattern is not allowed; undefined if it is safe. */
export function whatIsUnsafe(pattern: string): string | undefined {
  if (pattern.length > LONGEST) {
    return `is longer than ${LONGEST} characters`;
  }
  if (/\(\?(?!:)/.test(pattern)) {
    return 'looks around or names groups, which is not supported: use (…) or (?:…)';
  }
  if (/\\(?:[1-9]|k|u|x|c|p|P|b|B)/.test(pattern)) {
    return 'uses \\1, \\b, \\u, \\x, \\c, \\p or \\k, which is not supported';
  }
  try {
    // eslint-disable-next-line no-new
    new RegExp(pattern, 'su');
  } catch {
    return 'cannot be parsed';
  }
  return repetitionIn(pattern);
}

/** Scans groups, and tracks for each open one whether it contains a repetition. */
function repetitionIn(pattern: string): string | undefined {
  const open: boolean[] = [false];
  let closed: boolean | undefined;
  let count = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    const wasGroup = closed;
    closed = undefined;
    if (character === '\\') {
      at += 1;
    } else if (character === '[') {
      at = endOfClass(pattern, at);
    } else if (character === '(') {
      open.push(false);
    } else if (character === ')') {
      closed = open.pop();
      open[open.length - 1] ||= closed ?? false;
    } else if (repeats(pattern, at)) {
      count += 1;
      if (wasGroup) {
        return 'repeats a group in which something repeats';
      }
      open[open.length - 1] = true;
    }
  }
  return count > MOST_REPETITIONS
    ? `repeats more than ${MOST_REPETITIONS} times`
    : undefined;
}

function repeats(pattern: string, at: number): boolean {
  const character = pattern[at];
  return (
    character === '*' ||
    character === '+' ||
    (character === '{' &&
      /^\{(?:\d{1,5}(?:,\d{0,5})?|,\d{1,5})\}/.test(pattern.slice(at, at + 14)))
  );
}

function endOfClass(pattern: string, start: number): number {
  let at = start + 1;
  while (at < pattern.length && pattern[at] !== ']') {
    at += pattern[at] === '\\' ? 2 : 1;
  }
  return at;
}
