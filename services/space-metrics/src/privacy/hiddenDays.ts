import type { Period } from '../periods/Period.ts';
import type { TeamDays } from './Releases.ts';

/**
 * What of a period is not among the shown days, team by team: of many teams it is
 * little, and a total without it is read faster than the sum of all that is shown.
 */
export function hiddenDays(
  shown: readonly TeamDays[],
  options: { teams: readonly string[]; period: Period },
): TeamDays[] {
  const { teams, period } = options;
  const byTeam = new Map<string, TeamDays[]>();
  for (const days of shown) {
    byTeam.set(days.team, [...(byTeam.get(days.team) ?? []), days]);
  }
  return teams.flatMap(team => {
    const gaps: TeamDays[] = [];
    let next = period.start;
    const own = byTeam.get(team) ?? [];
    for (const { from, to } of own.sort((a, b) => a.from - b.from)) {
      if (from > next) {
        gaps.push({ team, from: next, to: from - 1 });
      }
      next = to + 1;
    }
    if (next < period.end) {
      gaps.push({ team, from: next, to: period.end - 1 });
    }
    return gaps;
  });
}
