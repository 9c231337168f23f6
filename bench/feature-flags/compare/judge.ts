import type { Case } from './Case.ts';
import type { Found } from './findDifferences.ts';

/** An intentional difference between the Unleash server and ours. */
export interface Difference {
  /** Names of requests; `*` matches anything. */
  readonly of: readonly string[];
  /** Paths in the response; `*` matches anything. */
  readonly at: readonly string[];
  readonly reason: string;
}

const SHOWN = 100;

/** Separates known from unknown differences, and finds known ones that no longer occur. */
export function judge(
  all: readonly { of: Case; found: Found }[],
  listed: readonly Difference[],
): { lines: string[]; isExpected: boolean } {
  const seen = new Set<Difference>();
  const unexpected = all.filter(({ of, found }) => {
    const matching = listed.filter(
      each =>
        each.of.some(pattern => matches(pattern, of.what)) &&
        each.at.some(pattern => matches(pattern, found.at)),
    );
    matching.forEach(each => seen.add(each));
    return matching.length === 0;
  });
  const gone = listed.filter(each => !seen.has(each));
  return {
    isExpected: unexpected.length === 0 && gone.length === 0,
    lines: [
      ...unexpected.map(
        ({ of, found: { at, theirs, ours } }) =>
          `UNEXPECTED ${of.what} | ${at} | Unleash ${show(theirs)} | ours ${show(ours)}`,
      ),
      ...gone.map(
        ({ of, at }) =>
          `GONE ${of.join(', ')} | ${at.join(', ')}: no longer differs`,
      ),
      `${all.length - unexpected.length} differences listed by ${listed.length} reasons, ` +
        `${unexpected.length} unexpected, ${gone.length} reasons without a difference`,
    ],
  };
}

/** Returns whether a text matches a pattern, in which `*` stands for any text. */
function matches(pattern: string, text: string): boolean {
  const [first, ...others] = pattern.split('*');
  if (others.length === 0) {
    return pattern === text;
  }
  const last = others.pop()!;
  if (!text.startsWith(first) || !text.endsWith(last)) {
    return false;
  }
  let from = first.length;
  for (const part of others) {
    const index = text.indexOf(part, from);
    if (index === -1) {
      return false;
    }
    from = index + part.length;
  }
  return from <= text.length - last.length;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
