import type { Organisation } from '../Organisation.ts';

const DAY_MS = 24 * 3_600_000;

/** Numbers from 0, as `k`, before a SELECT; alike in SQLite and PostgreSQL. */
function series(count: number): string {
  return `WITH RECURSIVE n(k) AS (
    SELECT CAST(0 AS BIGINT) UNION ALL SELECT k + 1 FROM n WHERE k < ${
      count - 1
    })`;
}

/** Expressions over `k` that spread records over the days and people. */
function spread(organisation: Organisation, count: number) {
  const { people, teams, firstDay, lastDay } = organisation;
  const day = `(${firstDay} + k * ${lastDay - firstDay + 1} / ${count})`;
  const person = `(k * 7919 % ${people} + 1)`;
  return {
    day,
    person,
    team: `'team-' || (${person} % ${teams} + 1)`,
    at: `${day} * ${DAY_MS} + k % 86400 * 1000`,
  };
}

/** Ten kinds of events, not in step with the people. */
const CHOICE = '((k / 7 + k * 3) % 10)';

/** Everything that was sent in: who and when is arithmetic. */
export function recordStatements(organisation: Organisation): string[] {
  const { events, surveys, loads } = organisation;
  const event = spread(organisation, events);
  const survey = spread(organisation, surveys);
  const load = spread(organisation, loads);
  return [
    `INSERT INTO activity_events (
       source, event_id, kind, person, team, occurred_at, day, amount, people, result)
     ${series(events)}
     SELECT 'bench', 'e' || (1000000000 + k),
       CASE WHEN ${CHOICE} < 4 THEN 'commit' WHEN ${CHOICE} = 4 THEN 'pull_request_merged'
            WHEN ${CHOICE} = 5 THEN 'pull_request_comment' WHEN ${CHOICE} = 6 THEN 'review'
            WHEN ${CHOICE} = 7 THEN 'docs_update' WHEN ${CHOICE} = 8 THEN 'chat_message'
            ELSE 'build' END,
       CASE WHEN ${CHOICE} < 9 THEN ${event.person} END, ${event.team},
       ${event.at}, ${event.day},
       CASE WHEN ${CHOICE} = 8 THEN 1 + k % 20 ELSE 1 END, 0,
       CASE WHEN ${CHOICE} = 9 THEN
         CASE WHEN k % 6 = 0 THEN 'FAILURE' ELSE 'SUCCESS' END END
     FROM n`,
    `INSERT INTO pulse_surveys (
       id, person, team, occurred_at, day, overall_satisfaction,
       productivity_this_week, recommend, blockers, wins)
     ${series(surveys)}
     SELECT 's' || (1000000000 + k), ${survey.person}, ${survey.team},
       ${survey.at}, ${survey.day}, 1 + k % 5, 1 + k / 3 % 5, k % 11,
       'slow builds', 'shipped the login'
     FROM n`,
    `INSERT INTO cognitive_loads (
       id, person, team, occurred_at, day, task, mental_demand, physical_demand,
       temporal_demand, performance, effort, frustration)
     ${series(loads)}
     SELECT 'l' || (1000000000 + k), ${load.person}, ${load.team}, ${load.at},
       ${
         load.day
       }, 'review', k % 101, k % 101, k % 101, k % 101, k % 101, k % 101
     FROM n`,
  ];
}
