import { ALL_TEAMS } from '../people/team.ts';
import type { Period } from '../periods/Period.ts';
import { releaseBlocks, type Block, type PresentOn } from './releaseBlocks.ts';
import type { TeamDays } from './Releases.ts';

/**
 * What may be shown of rows that are few enough to be in memory: by the same rule as
 * `DatabaseReleases`, which follows it row by row.
 */
export function releasesOf(
  rows: readonly (PresentOn & { team: string })[],
  options: { minimum: number; team: string; periods: readonly Period[] },
): TeamDays[][] {
  const { minimum, team, periods } = options;
  const sorted = [...rows].sort((a, b) => a.day - b.day);
  const blocks = new Map<string, Block[]>();
  for (const name of new Set(sorted.map(row => row.team))) {
    const own = sorted.filter(row => row.team === name);
    blocks.set(name, releaseBlocks(own, { minimum }));
  }
  if (team !== ALL_TEAMS) {
    return periods.map(period => spanOf(team, blocks.get(team) ?? [], period));
  }
  const lastOf = (name: string) => blocks.get(name)?.at(-1)?.end ?? -Infinity;
  const rest = releaseBlocks(
    sorted.filter(row => row.day > lastOf(row.team)),
    { minimum },
  );
  return periods.map(period => [
    ...[...blocks].flatMap(([name, own]) => spanOf(name, own, period)),
    ...spanOf('', rest, period).flatMap(({ from, to }) =>
      [...blocks.keys()]
        .map(name => ({
          team: name,
          from: Math.max(from, lastOf(name) + 1),
          to,
        }))
        .filter(days => days.from <= days.to),
    ),
  ]);
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
