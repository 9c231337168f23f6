import { formatNumber } from '../number/formatNumber';

/** Names beyond these are only counted. */
const SHOWN = 10;

/**
 * Joins names for the question before an action on several rows: "a, b and c"; of more than ten,
 * the first ten and the number of the others.
 */
export function formatNames(names: readonly string[]): string {
  const list = new Intl.ListFormat('en-GB');
  return names.length <= SHOWN
    ? list.format(names)
    : list.format([
        ...names.slice(0, SHOWN),
        `${formatNumber(names.length - SHOWN)} more`,
      ]);
}
