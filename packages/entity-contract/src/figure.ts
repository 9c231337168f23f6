import type { Fact, Tone } from './contract.ts';

/** Changes up to this share of the earlier value are none. */
const DEAD_BAND = 0.1;

/** A number beside that of the period before. */
interface Figure extends Pick<Fact, 'id' | 'label' | 'kind' | 'unit' | 'page'> {
  /** Undefined or null where nothing is known. */
  value: number | null | undefined;
  /** Left out where there is nothing to compare with. */
  previous?: number | null;
  /** The direction that is good; `neither` where a change is no judgement. */
  better: 'higher' | 'lower' | 'neither';
}

/** Makes a fact of a number, judged by the one rule of the product: within a tenth is the same. */
export function figure({ value, previous, better, ...fact }: Figure): Fact {
  if (typeof value !== 'number') {
    return { ...fact, value: null };
  }
  return {
    ...fact,
    value,
    ...(typeof previous === 'number' && {
      previous,
      tone: toneOf({ change: value - previous, previous, better }),
    }),
  };
}

function toneOf(options: {
  change: number;
  previous: number;
  better: Figure['better'];
}): Tone {
  const { change, previous, better } = options;
  if (
    better === 'neither' ||
    Math.abs(change) <= DEAD_BAND * Math.abs(previous)
  ) {
    return 'same';
  }
  return change > 0 === (better === 'higher') ? 'better' : 'worse';
}

/** Writes milliseconds since the Unix epoch in ISO 8601. */
export function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Cuts a text to the length of a label, at its first line. */
export function labelOf(text: string): string {
  const line = text.split('\n', 1)[0].trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
