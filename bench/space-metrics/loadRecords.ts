import type { BenchDatabase } from './BenchDatabase.ts';
import { type Organisation, personHash } from './Organisation.ts';

const DAY_MS = 24 * 3_600_000;

/** Returns a CTE `n(k)` with the numbers from 0 to `count` - 1, for SQLite and PostgreSQL. */
function series(count: number): string {
  return `WITH RECURSIVE n(k) AS (
    SELECT CAST(0 AS BIGINT) UNION ALL SELECT k + 1 FROM n WHERE k < ${
      count - 1
    })`;
}

/** Returns SQL expressions of `k` that distribute `count` records over days and people. */
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

/** A number from 0 to 9 that chooses the kind of an event, independently of the person. */
const CHOICE = '((k / 7 + k * 3) % 10)';

/** Returns the statements that insert all records; their people and times are computed from `k`. */
function recordStatements(organisation: Organisation): string[] {
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

/** Selects the total of each measure by team and day, as the service computes it. */
const TOTALS = `
  SELECT team, day, CASE kind
      WHEN 'commit' THEN 'activity.commits'
      WHEN 'pull_request_merged' THEN 'activity.prs_merged'
      WHEN 'docs_update' THEN 'communication.docs_updates'
      WHEN 'chat_message' THEN 'communication.chat_messages'
      WHEN 'build' THEN 'build.finished'
      ELSE 'communication.pr_comments' END AS measure, SUM(amount) AS total
    FROM activity_events GROUP BY 1, 2, 3
  UNION ALL SELECT team, day, 'build.success', SUM(amount)
    FROM activity_events WHERE result = 'SUCCESS' GROUP BY 1, 2
  UNION ALL SELECT team, day, 'survey.count', COUNT(*)
    FROM pulse_surveys GROUP BY 1, 2
  UNION ALL SELECT team, day, 'survey.satisfaction', SUM(overall_satisfaction)
    FROM pulse_surveys GROUP BY 1, 2
  UNION ALL SELECT team, day, 'survey.productivity', SUM(productivity_this_week)
    FROM pulse_surveys GROUP BY 1, 2
  UNION ALL SELECT team, day, CASE WHEN recommend >= 9 THEN 'survey.promoters'
      WHEN recommend >= 7 THEN 'survey.passives' ELSE 'survey.detractors' END,
      COUNT(*)
    FROM pulse_surveys GROUP BY 1, 2, 3
  UNION ALL SELECT team, day, 'load.count', COUNT(*)
    FROM cognitive_loads GROUP BY 1, 2
  UNION ALL SELECT team, day, 'load.index_thousandths',
      SUM(CAST(effort * 1000 AS BIGINT))
    FROM cognitive_loads GROUP BY 1, 2`;

const PRESENCE = `
  SELECT DISTINCT CASE
      WHEN kind IN ('commit', 'pull_request_merged') THEN 'activity'
      WHEN kind = 'chat_message' THEN 'chat' ELSE 'collaboration' END AS subject,
      team, day, person
    FROM activity_events WHERE person IS NOT NULL
  UNION ALL SELECT DISTINCT 'survey', team, day, person FROM pulse_surveys
  UNION ALL SELECT DISTINCT 'load', team, day, person FROM cognitive_loads`;

/** Selects presence as bitmaps of 31 days, by team and over all teams ('*'). */
const SPANS = `
  WITH presence AS (${PRESENCE})
  SELECT subject, team, day / 31 AS span, person, SUM(1 << (day % 31)) AS days
    FROM presence GROUP BY 1, 2, 3, 4
  UNION ALL SELECT subject, '*', day / 31, person, SUM(1 << (day % 31))
    FROM (SELECT DISTINCT subject, day, person FROM presence) AS once
    GROUP BY 1, 2, 3, 4`;

const TALLIES = `
  SELECT 'records' AS name, team, COUNT(*) AS total FROM (
      SELECT team FROM activity_events UNION ALL SELECT team FROM pulse_surveys
      UNION ALL SELECT team FROM cognitive_loads) AS records GROUP BY team
  UNION ALL SELECT 'commits', team, SUM(amount)
    FROM activity_events WHERE kind = 'commit' GROUP BY team
  UNION ALL SELECT 'messages', team, SUM(amount)
    FROM activity_events WHERE kind = 'chat_message' GROUP BY team`;

/** The rollups that the service would have written during ingestion. */
const rollupStatements: readonly string[] = [
  `INSERT INTO daily_totals (team, measure, day, total)
   SELECT team, measure, day, total FROM (${TOTALS}) AS totals
   ORDER BY team, measure, day`,
  `INSERT INTO daily_totals (team, measure, day, total)
   SELECT '*', measure, day, SUM(total) FROM daily_totals GROUP BY measure, day`,
  `INSERT INTO presence_spans (subject, team, span, person, days)
   SELECT subject, team, span, person, days FROM (${SPANS}) AS spans
   ORDER BY subject, team, span, person`,
  `INSERT INTO tallies (name, team, total)
   SELECT name, team, total FROM (${TALLIES}) AS counted`,
  `UPDATE people SET first_commit_at = first.at, first_commit_day = first.day,
     first_commit_team = first.team
   FROM (SELECT person, MIN(occurred_at) AS at, MIN(day) AS day, MIN(team) AS team
     FROM activity_events WHERE kind = 'commit' GROUP BY person) AS first
   WHERE people.id = first.person`,
  // Builds belong to no person and need no release; people count towards the size of a group.
  `UPDATE activity_events SET batch = CASE WHEN kind = 'build' THEN 0 END,
     people = CASE WHEN person IS NULL THEN 0 ELSE 1 END`,
  // Makes the service release all cycles again.
  'DELETE FROM settings',
];

/** Maximum number of rows per insert statement. */
const CHUNK = 500;

const bulk = {
  SQLite: {
    begin: [
      'PRAGMA foreign_keys = OFF',
      'PRAGMA synchronous = OFF',
      'PRAGMA cache_size = -1000000',
    ],
    end: ['PRAGMA wal_checkpoint(TRUNCATE)'],
  },
  PostgreSQL: {
    // Skips foreign key checks.
    begin: ['SET session_replication_role = replica'],
    end: [
      `SELECT setval(pg_get_serial_sequence('people', 'id'), MAX(id)) FROM people`,
      'SET session_replication_role = DEFAULT',
      'VACUUM ANALYZE',
      'CHECKPOINT',
    ],
  },
} as const;

/**
 * Fills the service's tables with records and their rollups. The service must not be
 * running.
 *
 * @param options.hashKey - the service's key for hashes of people.
 * @param options.say - called with the name of each slow step.
 */
export async function loadRecords(
  { name, knex }: BenchDatabase,
  options: {
    organisation: Organisation;
    hashKey: string;
    say: (text: string) => void;
  },
): Promise<void> {
  const { organisation, hashKey, say } = options;
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) {
      const begun = performance.now();
      await knex.raw(statement);
      const seconds = (performance.now() - begun) / 1_000;
      if (seconds > 1) {
        say(`  ${seconds.toFixed(1)} s  ${statement.trim().split('\n')[0]}`);
      }
    }
  };
  await run(bulk[name].begin);
  const people = Array.from({ length: organisation.people }, (_, index) => ({
    id: index + 1,
    hash: personHash(index + 1, hashKey),
    reminder_opted_out: false,
  }));
  await knex.batchInsert('people', people, CHUNK);
  await run([...recordStatements(organisation), ...rollupStatements]);
  await run(bulk[name].end);
}
