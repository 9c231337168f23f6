import { ALL_TEAMS } from '../people/team.ts';
import type { Period } from '../periods/Period.ts';
import { releaseBlocks, type Block, type PresentOn } from './releaseBlocks.ts';
import type { TeamDays } from './Releases.ts';

/** Days that may be shown, and which of them a question may be answered from. */
export interface CutReleases {
  within(options: { team: string; periods: readonly Period[] }): TeamDays[][];
}

/**
 * What may be shown of rows that are few enough to be in memory: by the same rule as
 * `DatabaseReleases`, which follows it row by row.
 */
export function cutReleases(
  rows: readonly (PresentOn & { team: string })[],
  options: { minimum: number },
): CutReleases {
  const byTeam = new Map<string, PresentOn[]>();
  const sorted = [...rows].sort((a, b) => a.day - b.day);
  for (const row of sorted) {
    const own = byTeam.get(row.team) ?? [];
    own.push(row);
    byTeam.set(row.team, own);
  }
  const blocks = new Map(
    [...byTeam].map(([name, own]) => [name, releaseBlocks(own, options)]),
  );
  const ends = new Map(
    [...blocks].map(([name, own]) => [name, own.at(-1)?.end ?? -Infinity]),
  );
  const rest = releaseBlocks(
    sorted.filter(row => row.day > ends.get(row.team)!),
    options,
  );
  const restOf = ({ from, to }: TeamDays) =>
    [...ends]
      .map(([team, end]) => ({ team, from: Math.max(from, end + 1), to }))
      .filter(days => days.from <= days.to);
  return {
    within: ({ team, periods }) =>
      periods.map(period =>
        team === ALL_TEAMS
          ? [
              ...[...blocks].flatMap(([name, own]) =>
                spanOf(name, own, period),
              ),
              ...spanOf('', rest, period).flatMap(restOf),
            ]
          : spanOf(team, blocks.get(team) ?? [], period),
      ),
  };
}

/** From the first to the last block that lies wholly within a period. */
function spanOf(
  team: string,
  blocks: readonly Block[],
  period: Period,
): TeamDays[] {
  const inside = blocks.filter(
    ({ start, end }) => start >= period.start && end < period.end,
  );
  return inside.length === 0
    ? []
    : [{ team, from: inside[0].start, to: inside.at(-1)!.end }];
}
