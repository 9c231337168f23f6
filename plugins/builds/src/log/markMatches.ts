import type { LogSpan } from './ansi';

/** A part of a line, and whether it matches the search text. */
export interface MarkedSpan extends LogSpan {
  isMatch?: boolean;
}

/**
 * Splits the spans of a line at the occurrences of a text, which may extend over several spans;
 * ignores case.
 */
export function markMatches(
  spans: readonly LogSpan[],
  sought: string,
): readonly MarkedSpan[] {
  const ranges = rangesOf(spans.map(({ text }) => text).join(''), sought);
  if (ranges.length === 0) {
    return spans;
  }
  let end = 0;
  return spans.flatMap(span => {
    const start = end;
    end += span.text.length;
    const cuts = ranges.flat().filter(at => at > start && at < end);
    const edges = [start, ...cuts, end];
    return edges.slice(1).map((to, index) => {
      const from = edges[index];
      return {
        ...span,
        text: span.text.slice(from - start, to - start),
        isMatch: ranges.some(([first, last]) => first <= from && from < last),
      };
    });
  });
}

function rangesOf(text: string, sought: string): [number, number][] {
  if (sought === '') {
    return [];
  }
  const pattern = new RegExp(
    sought.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'),
    'giu',
  );
  return Array.from(text.matchAll(pattern), ({ 0: found, index }) => [
    index,
    index + found.length,
  ]);
}
