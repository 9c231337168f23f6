import { changeOf, type Scale } from './changeOf.ts';
import type { Fact, Tone } from './contract.ts';

/** A number, and that of the previous period. */
interface Figure extends Pick<Fact, 'id' | 'label' | 'kind' | 'unit' | 'page'> {
  /** Undefined or null if unknown. */
  value: number | null | undefined;
  /** Missing if there is nothing to compare with. */
  previous?: number | null;
  /** The better direction; `neither` if a change is neither good nor bad. */
  better: 'higher' | 'lower' | 'neither';
  /** Defaults to `ratio`. */
  scale?: Scale;
}

/** Creates a fact from a number, with its change judged by {@link changeOf}. */
export function figure({
  value,
  previous,
  better,
  scale,
  ...fact
}: Figure): Fact {
  if (typeof value !== 'number') {
    return { ...fact, value: null };
  }
  return {
    ...fact,
    value,
    ...(typeof previous === 'number' && {
      previous,
      tone: toneOf(changeOf({ value, previous, scale }), better),
    }),
  };
}

function toneOf(change: -1 | 0 | 1, better: Figure['better']): Tone {
  if (better === 'neither' || change === 0) {
    return 'same';
  }
  return change > 0 === (better === 'higher') ? 'better' : 'worse';
}

/** Formats milliseconds since the Unix epoch as ISO 8601; null if there is no such time. */
export function isoOf(milliseconds: number): string;
export function isoOf(milliseconds: number | null | undefined): string | null;
export function isoOf(milliseconds: number | null | undefined): string | null {
  return typeof milliseconds === 'number'
    ? new Date(milliseconds).toISOString()
    : null;
}

/** Truncates a text to its first line and the maximum length of a label. */
export function labelOf(text: string): string {
  const [line] = text.trim().split('\n', 1);
  return shortened(line.trimEnd(), 200);
}

/** Truncates a text to a length in UTF-16 code units, without splitting a character. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) {
    return text;
  }
  const start = text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${start}…`;
}
