import path from 'node:path';

/** Wildcards in a segment of a path, apart from one at its end. */
const MAX_WILDCARDS = 2;
/** `**` in a glob, apart from one at its end. */
const MAX_GLOBSTARS = 2;
const MAX_ALTERNATIVES = 20;
/** Longer texts than the paths of a file system match nothing. */
const MAX_TEXT = 4_096;
const MAX_SEGMENTS = 100;

/** Groups such as `+(a|b)`. */
const GROUP = /[?*+@!]\(/;

/**
 * Returns the fault of a glob whose matching could take very long; undefined if there is none. Node
 * matches by backtracking, in the thread that serves all requests, and globs come from commits, also
 * of forks.
 *
 * @returns the end of a sentence.
 */
export function globFault(glob: string): string | undefined {
  const { alternatives, longest } = withoutBraces(glob);
  const isBounded =
    !GROUP.test(glob) &&
    alternatives <= MAX_ALTERNATIVES &&
    count(glob, /\*\*(?!\*|$)/g) <= MAX_GLOBSTARS &&
    longest
      .split('/')
      .every(segment => count(segment, /\*+(?!\*|$)/g) <= MAX_WILDCARDS);
  return isBounded
    ? undefined
    : `could take too long to match: a glob has at most ${MAX_WILDCARDS} * in a part of a path and ${MAX_GLOBSTARS} **, not counting one at the end, and ${MAX_ALTERNATIVES} alternatives in {}, and neither groups such as +() nor ranges`;
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
 * Replaces each `{a,b}` by a text with as many wildcards as its alternative with the most.
 *
 * @returns an upper bound of the alternatives, and the text.
 */
function withoutBraces(glob: string): {
  alternatives: number;
  longest: string;
} {
  let alternatives = 1;
  let longest = glob;
  for (;;) {
    const inner = /\{([^{}]*)\}/.exec(longest);
    if (!inner || alternatives > MAX_ALTERNATIVES) {
      return { alternatives, longest };
    }
    const parts = inner[1].split(',');
    // A range such as `{1..999999}` has any number.
    alternatives *= inner[1].includes('..') ? Infinity : parts.length;
    const wildcards = Math.max(...parts.map(part => count(part, /\*+/g)));
    const text = `-${'*-'.repeat(wildcards)}`;
    longest =
      longest.slice(0, inner.index) +
      text +
      longest.slice(inner.index + inner[0].length);
  }
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
