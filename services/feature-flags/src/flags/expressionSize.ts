/** The open groups of an expression, outermost first: their size so far, and that of the last part. */
type Groups = { size: number; last: number }[];

/** Escapes with braces, such as `\pL`, `\p{Greek}` and `\x{10FFFF}`, quoted text, and other escapes. */
const ESCAPE = /\\(?:[pPx]\{[^}]*\}|[pP]\w|Q([^]*?)(?:\\E|$)|[^])/y;
/** A class such as `[^]a-z[:digit:]\]]`. */
const CLASS = /\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]/y;
/** Flags such as `(?i)`; a repetition after them applies to the part before them. */
const FLAGS = /\(\?[\w-]*\)/y;
/** The start of a group, with its name or flags. */
const OPEN = /\((?:\?(?:P?<\w+>|[\w-]*:))?/y;
const REPEAT = /\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/y;

/**
 * Estimates the size of a regular expression in RE2 syntax: the number of its characters, classes,
 * groups and operators after repetitions such as `{0,100}` are expanded. Empty groups and
 * alternatives count because engines compile them like others. An engine without backtracking
 * takes time and memory proportional to it.
 */
export function expressionSize(text: string): number {
  const groups: Groups = [{ size: 0, last: 0 }];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    at += match?.[0].length ?? 0;
    return match;
  };
  const add = (size: number) => {
    const group = groups[groups.length - 1];
    group.size += size;
    group.last = size;
  };
  while (at < text.length) {
    const group = groups[groups.length - 1];
    const from = at;
    const repeat = take(REPEAT);
    if (repeat) {
      const [, least, comma, most = comma ? least : ''] = repeat;
      const times = Math.max(1, Number(least), Number(most));
      group.size += group.last * (times - 1);
      group.last *= times;
    } else if (take(FLAGS)) {
      // Flags add nothing to the size.
    } else if (take(OPEN)) {
      groups.push({ size: 0, last: 0 });
    } else if (text[at] === ')' && groups.length > 1) {
      at += 1;
      groups.pop();
      add(group.size + 1);
    } else if ('*+?'.includes(text[at])) {
      at += 1;
      group.size += 1;
      group.last += 1;
    } else {
      const [, quoted] = take(ESCAPE) ?? take(CLASS) ?? [];
      if (at === from) {
        at += 1;
      }
      // An empty quotation, `\Q\E`, is not a part that could be repeated.
      if (quoted !== '') {
        add(quoted?.length ?? 1);
      }
    }
  }
  return groups.reduce((sum, { size }) => sum + size, 0);
}
