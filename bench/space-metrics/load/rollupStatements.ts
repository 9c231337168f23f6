/** What each record adds to which measure, as the service's contributions have it. */
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

/** The same in spans of 31 days, a bit for each: of each team, and of all. */
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

/** What the service would have kept of the records while they came in. */
export const rollupStatements: readonly string[] = [
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
  // Builds are about nobody; of people each counts towards a group.
  `UPDATE activity_events SET batch = CASE WHEN kind = 'build' THEN 0 END,
     people = CASE WHEN person IS NULL THEN 0 ELSE 1 END`,
  // The service releases all cycles anew.
  'DELETE FROM settings',
];
