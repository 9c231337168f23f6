import type { Knex } from 'knex';
import type { Subject } from '../ledger/Contribution.ts';
import { scopeTable, type Scope } from '../ledger/scopeTable.ts';
import { selectRows } from '../ledger/selectRows.ts';
import { ALL_TEAMS } from '../people/team.ts';
import type { Period } from '../periods/Period.ts';
import { REST } from './DatabaseReleaseBlocks.ts';
import type { TeamDays } from './Releases.ts';

/** What of a period may be shown of a team, or of all. */
export interface Question {
  readonly subject: Subject;
  readonly team: string;
  readonly period: Period;
}

/** The last released day of a team; null where none was. */
interface State {
  readonly subject: string;
  readonly team: string;
  readonly last_end: number | null;
}

/** Answers questions from blocks that are up to date. */
export async function readReleasedDays(
  knex: Knex,
  questions: readonly Question[],
): Promise<TeamDays[][]> {
  const scopes = questions.map(({ subject, team, period }, key) => ({
    key,
    subject,
    team,
    from: period.start,
    to: period.end - 1,
  }));
  const spans = await spansOfBlocks(knex, scopes);
  const states = await statesOf(
    knex,
    questions.filter((_, key) => spans[key].some(({ team }) => team === REST)),
  );
  return questions.map(({ subject }, key) =>
    spans[key].flatMap(span =>
      span.team === REST
        ? restOf(
            span,
            states.filter(state => state.subject === subject),
          )
        : [span],
    ),
  );
}

/**
 * From the first to the last block that lies wholly within each scope, by team. Blocks of
 * a team do not overlap, so two looks into the index find them, however many there are.
 */
async function spansOfBlocks(
  knex: Knex,
  scopes: readonly Scope[],
): Promise<TeamDays[][]> {
  const { sql, bindings } = scopeTable(scopes);
  const rows = await selectRows<{
    key: number;
    team: string;
    from: number | null;
    to: number | null;
  }>(
    knex,
    `${sql} SELECT scope.key AS key, s.team AS team,
       (SELECT b.start_day FROM release_blocks b
        WHERE b.subject = s.subject AND b.team = s.team
          AND b.end_day >= scope.first AND b.start_day >= scope.first
        ORDER BY b.end_day LIMIT 1) AS "from",
       (SELECT MAX(b.end_day) FROM release_blocks b
        WHERE b.subject = s.subject AND b.team = s.team
          AND b.end_day <= scope.last) AS "to"
     FROM scope CROSS JOIN release_states s
     WHERE s.subject = scope.subject
       AND (scope.team = '${ALL_TEAMS}' OR s.team = scope.team)`,
    bindings,
  );
  const spans = scopes.map((): TeamDays[] => []);
  for (const { key, team, from, to } of rows) {
    // Else the first block from here on ends after the scope.
    if (from !== null && to !== null && from <= to) {
      spans[key].push({ team, from, to });
    }
  }
  return spans;
}

async function statesOf(
  knex: Knex,
  questions: readonly Question[],
): Promise<State[]> {
  const subjects = new Set(questions.map(({ subject }) => subject));
  return subjects.size === 0
    ? []
    : knex('release_states')
        .select('subject', 'team', 'last_end')
        .whereIn('subject', [...subjects]);
}

/** What teams have not released themselves, within the days that the rest releases. */
function restOf({ from, to }: TeamDays, states: readonly State[]): TeamDays[] {
  return states
    .filter(({ team }) => team !== REST)
    .map(({ team, last_end: last }) => ({
      team,
      from: last === null ? from : Math.max(from, last + 1),
      to,
    }))
    .filter(days => days.from <= days.to);
}
