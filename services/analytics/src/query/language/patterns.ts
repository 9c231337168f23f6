import type { TokenReader } from './TokenReader.ts';

const LONGEST = 300;
const MOST_REPETITIONS = 20;
/**
 * The largest repetition count that V8 matches in linear time; with a larger one, it always
 * backtracks.
 */
const LARGEST_COUNT = 16;

/**
 * Rejects regular expressions that engines interpret differently, and nested repetitions or
 * repeated alternatives, which take exponential time in an engine that backtracks.
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

/**
 * Returns why a replacement does not fit a safe pattern: it refers to a group, such as `\1`, that
 * the pattern does not have, which engines reject. Undefined if no group is missing.
 */
export function whatIsMissing(
  replacement: string,
  pattern: string,
): string | undefined {
  // The empty alternative makes the pattern match, so that all groups are counted.
  const groups = new RegExp(`${pattern}|`, 'su').exec('')!.length - 1;
  const missing = [...replacement.matchAll(/\\(.)/gs)].find(
    ([, group]) => /\d/.test(group) && Number(group) > groups,
  );
  return missing && `refers to ${missing[0]}, but the pattern has fewer groups`;
}

/** What a group contains, including its nested groups. */
interface Contents {
  repeats: boolean;
  /** True if it contains alternatives or optional parts. */
  chooses: boolean;
}

/** Scans a pattern, and tracks what each open group contains. */
function repetitionIn(pattern: string): string | undefined {
  const open: Contents[] = [{ repeats: false, chooses: false }];
  let closed: Contents | undefined;
  let count = 0;
  let largest = 0;
  let isChoiceRepeated = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    const group = closed;
    const current = open[open.length - 1];
    closed = undefined;
    if (character === '\\') {
      at += 1;
    } else if (character === '[') {
      at = endOfClass(pattern, at);
    } else if (character === '(') {
      open.push({ repeats: false, chooses: false });
      // The question mark of (?: makes nothing optional.
      at += pattern.startsWith('?:', at + 1) ? 2 : 0;
    } else if (character === ')') {
      open.pop();
      closed = current;
      const parent = open[open.length - 1];
      parent.repeats ||= current.repeats;
      parent.chooses ||= current.chooses;
    } else if (character === '|' || character === '?') {
      current.chooses = true;
    } else if ('*+{'.includes(character)) {
      if (group?.repeats) {
        return 'repeats a group in which something repeats';
      }
      count += 1;
      largest = Math.max(largest, largestCount(pattern, at));
      isChoiceRepeated ||= group?.chooses ?? false;
      current.repeats = true;
    }
  }
  if (count > MOST_REPETITIONS) {
    return `repeats more than ${MOST_REPETITIONS} times`;
  }
  return isChoiceRepeated && largest > LARGEST_COUNT
    ? `repeats alternatives in a pattern with a count above ${LARGEST_COUNT}`
    : undefined;
}

/** Returns how often a repetition is unrolled: 20 times for `{1,20}`, and 6 for `{5,}`. */
function largestCount(pattern: string, at: number): number {
  if (pattern[at] !== '{') {
    return 1;
  }
  const [least, most = least] = pattern
    .slice(at + 1, pattern.indexOf('}', at))
    .split(',');
  return most === '' ? Number(least) + 1 : Number(most);
}

function endOfClass(pattern: string, start: number): number {
  let at = start + 1;
  while (at < pattern.length && pattern[at] !== ']') {
    at += pattern[at] === '\\' ? 2 : 1;
  }
  return at;
}
