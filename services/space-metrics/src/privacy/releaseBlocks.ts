import { NOBODY_KNOWN } from '../ledger/Contribution.ts';
import type { LocalDay } from '../periods/LocalDay.ts';

/** Whole days, both inclusive, that are shown together or not at all. */
export interface Block {
  readonly start: LocalDay;
  readonly end: LocalDay;
}

/** That somebody stands behind the numbers of a day. */
export interface PresentOn {
  readonly day: LocalDay;
  readonly person: number;
  readonly people: number;
}

/**
 * Cuts days into blocks behind each of which stand at least `minimum` people: days are
 * added to a block until it has them. What is left at the end is no block yet.
 *
 * Everything shown is a sum of such blocks, and they do not overlap. Whatever is added
 * to or subtracted from shown values therefore stays a sum of blocks: no difference of
 * teams or of periods is about fewer people than `minimum`.
 *
 * @param rows - by day, ascending.
 */
export function releaseBlocks(
  rows: Iterable<PresentOn>,
  options: { minimum: number },
): Block[] {
  const blocks: Block[] = [];
  let start: LocalDay | undefined;
  let end = 0;
  let known = new Set<number>();
  let unknown = 0;
  const closeBefore = (day: LocalDay) => {
    const enough = Math.max(known.size, unknown) >= options.minimum;
    if (start !== undefined && day > end && enough) {
      blocks.push({ start, end });
      start = undefined;
      known = new Set();
      unknown = 0;
    }
  };
  for (const { day, person, people } of rows) {
    closeBefore(day);
    start ??= day;
    end = day;
    if (person === NOBODY_KNOWN) {
      unknown = Math.max(unknown, people);
    } else {
      known.add(person);
    }
  }
  closeBefore(Infinity);
  return blocks;
}
