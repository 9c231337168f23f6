import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** Maximum number of wildcards in a segment of a path, apart from one at its end. */
const MAX_WILDCARDS = 2;
/** Maximum number of `**` in a glob, apart from one at its end. */
const MAX_GLOBSTARS = 2;
const MAX_ALTERNATIVES = 20;
/** Maximum length of a path in a file system; longer texts match nothing. */
const MAX_TEXT = 4_096;
const MAX_SEGMENTS = 100;

/** Matches the literal text with which all matches of a glob begin. */
const LITERAL = /^[^*?[\]\\!+@()]*/;

/** Maximum number of files that are compared with globs for one build. */
const MAX_FILES = 100_000;

/** Maximum number of comparisons of a file with a glob for one build; these take seconds. */
const MAX_MATCHES = 200_000;

/** Number of comparisons after which other work may continue; these take milliseconds. */
const AT_ONCE = 200;

/**
 * Matches what the alternatives of a glob must not contain: groups such as `+(a|b)`, even if they
 * only result from expanding braces; ranges and other braces that are not expanded; and line
 * breaks.
 */
const REFUSED = /[?*+@!]\(|[{}\n\r\u2028\u2029]/;

/**
 * Returns the fault of a glob whose matching could take very long; undefined if there is none. Node
 * matches by backtracking, in the thread that serves all requests, and globs come from commits,
 * including those of forks.
 *
 * @returns the end of a sentence.
 */
export function globFault(glob: string): string | undefined {
  const alternatives = alternativesOf(glob);
  const isBounded =
    // Node does not expand the braces after it.
    !glob.includes('${') &&
    alternatives.length <= MAX_ALTERNATIVES &&
    alternatives.every(
      alternative =>
        !REFUSED.test(alternative) &&
        count(alternative, /\*\*(?!\*|$)/g) <= MAX_GLOBSTARS &&
        alternative
          .split('/')
          .every(segment => count(segment, /\*(?!\**$)/g) <= MAX_WILDCARDS),
    );
  return isBounded
    ? undefined
    : `could take too long to match: a glob has at most ${MAX_WILDCARDS} * in a part of a path and ${MAX_GLOBSTARS} **, not counting one at the end, and ${MAX_ALTERNATIVES} alternatives in {}, and neither groups such as +(), nor ranges, other braces, \${ or line breaks`;
}

/**
 * Checks whether a text, such as a path or a ref, matches a glob without {@link globFault}. False if
 * it is longer than a path can be, or has more than a hundred parts.
 */
export function matchesGlob(text: string, glob: string): boolean {
  return (
    text.length <= MAX_TEXT &&
    text.split('/').length <= MAX_SEGMENTS &&
    path.posix.matchesGlob(text, glob)
  );
}

/**
 * Finds which globs match any of many files, including hidden ones, which wildcards do not match
 * elsewhere. Other work continues in the meantime.
 *
 * @param options.files - paths in any order.
 * @param options.globs - without {@link globFault}.
 * @param options.maxMatches - of a file and a glob; by default as many as take seconds.
 * @param options.signal - its reason is thrown when it aborts.
 * @returns undefined if there is too much to compare.
 */
export async function globsMatchingAny(options: {
  files: readonly string[];
  globs: readonly string[];
  maxMatches?: number;
  signal: AbortSignal;
}): Promise<Set<string> | undefined> {
  const { globs, maxMatches = MAX_MATCHES, signal } = options;
  if (options.files.length > MAX_FILES) {
    return undefined;
  }
  const files = options.files.map(withoutHidden).sort();
  const found = new Set<string>();
  let matches = 0;
  for (const glob of new Set(globs)) {
    for (const alternative of alternativesOf(glob)) {
      const pattern = globWithoutHidden(path.posix.normalize(alternative));
      const [prefix] = LITERAL.exec(pattern)!;
      let at = firstFrom(files, prefix);
      while (!found.has(glob) && files[at]?.startsWith(prefix)) {
        matches += 1;
        if (matches > maxMatches) {
          return undefined;
        }
        if (matches % AT_ONCE === 0) {
          await setImmediate();
          signal.throwIfAborted();
        }
        if (matchesGlob(files[at], pattern)) {
          found.add(glob);
        }
        at += 1;
      }
    }
  }
  return found;
}

/** Replaces dots at the start of names, which wildcards do not match. */
function withoutHidden(text: string): string {
  return text.replace(/(^|\/)\./g, '$1\ue000');
}

/** Does the same for a glob, including dots in character classes such as `[.]`. */
function globWithoutHidden(glob: string): string {
  return withoutHidden(glob).replace(
    /(^|\/)\[([!^]?)(?=[^\]/]*\.)/g,
    '$1[$2\ue000',
  );
}

/** Returns the index of the first of sorted texts that does not come before a given one. */
function firstFrom(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < text) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/**
 * Expands `{a,b}` in a glob into a list of globs; braces without a comma remain. If there are more than
 * {@link MAX_ALTERNATIVES}, the list is incomplete, but longer than this limit.
 */
function alternativesOf(glob: string): string[] {
  const done: string[] = [];
  const open = [glob];
  while (open.length > 0 && done.length + open.length <= MAX_ALTERNATIVES) {
    const text = open.pop()!;
    const braces = /\{([^{},]*,[^{}]*)\}/.exec(text);
    if (!braces) {
      done.push(text);
      continue;
    }
    const [whole, inner] = braces;
    const end = text.slice(braces.index + whole.length);
    const parts = inner.split(',');
    open.push(...parts.map(part => text.slice(0, braces.index) + part + end));
  }
  return [...done, ...open];
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
