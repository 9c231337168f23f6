import type { Need } from './contract.ts';

/** Removes needs with the same key, and sorts the rest: bad before warnings, then newest first. */
export function byUrgency<N extends Pick<Need, 'key' | 'tone' | 'at'>>(
  needs: readonly N[],
): N[] {
  const unique = new Map(needs.map(need => [need.key, need]));
  return [...unique.values()].sort(
    (one, other) =>
      Number(other.tone === 'bad') - Number(one.tone === 'bad') ||
      Date.parse(other.at) - Date.parse(one.at),
  );
}
