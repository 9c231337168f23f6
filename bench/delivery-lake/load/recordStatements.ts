import type { Dialect } from './dialect';

/** When a change landed: twenty and ten minutes before its deployment started. */
const landed = 'f.started - 600000 * (2 - j)';
const choice = '((f.s * 211 + f.k * 37 + j * 5003) % 9973)';
/** Minutes to three weeks, most of them short. */
const committed = `${landed} - 60000 - ${choice} * ${choice} * 20`;
const changeId = '(f.d - 1) * 2 + j + 1';
const BOTH = '(SELECT 0 AS j UNION ALL SELECT 1) AS both_changes';

/** Writes the names of services and teams; records refer to them by arithmetic on their number. */
export function nameStatements(
  dialect: Dialect,
  { services, teams }: { services: number; teams: number },
): string[] {
  return [
    `INSERT INTO services (id, name, entity_ref, team, project)
     SELECT k + 1, 'service-' || (k + 1), 'component:default/service-' || (k + 1),
       'group:default/team-' || (k % ${teams} + 1),
       'system:default/project-' || (k % ${teams * 2} + 1)
     FROM ${dialect.series(services)}`,
    `INSERT INTO repositories (id, name)
     SELECT id, 'acme/' || name FROM services`,
    `INSERT INTO service_repositories (repository_id, service_id)
     SELECT id, id FROM services`,
  ];
}

/** What was sent, of `bench_facts`. */
export function recordStatements(dialect: Dialect): string[] {
  return [
    `INSERT INTO deployments (
       id, public_id, source, external_id, service_id, environment, status,
       started_at, finished_at, version, triggered_by, repository_id, commit_sha,
       commit_message, commit_author, lists_changes, rollback_of, unplanned,
       revision, counted, head_position, failed, failure_cause, rework,
       rework_cause, recovered_at, rolled_back_at)
     SELECT d, 'deploy-' || d, 'ci', 'd-' || d, s, 'prod', 'SUCCESS', started,
       finished, '1.' || k, 'ada', s, ${dialect.hex('d * 2')},
       'Round amounts half to even', 'grace', 0,
       CASE WHEN rolls_back = 1 THEN '' END, unplanned, finished, 1,
       (started - 600000) * 2048, failed,
       CASE WHEN failed = 0 THEN NULL WHEN rolled_back_at IS NOT NULL THEN 'rollback'
            WHEN linked = 1 THEN 'incident' ELSE 'guess' END,
       CASE WHEN unplanned = 1 OR rolls_back = 1 THEN 1 ELSE 0 END,
       CASE WHEN unplanned = 1 THEN 'declared' WHEN rolls_back = 1 THEN 'rollback' END,
       CASE WHEN failed = 1 THEN fixed END, rolled_back_at
     FROM bench_facts`,
    `INSERT INTO changes (
       id, repository_id, sha, message, author, committed_at, position, revision)
     SELECT ${changeId}, f.s, ${dialect.hex(changeId)},
       'Round amounts half to even', 'grace', ${committed}, (${landed}) * 2048,
       ${landed}
     FROM bench_facts f CROSS JOIN ${BOTH}`,
    `INSERT INTO incidents (
       id, public_id, source, external_id, service_id, environment, title,
       severity, started_at, resolved_at, link_source, link_external_id, revision,
       deployment_id, attribution, deployment_service_id, deployment_finished_at)
     SELECT d, 'incident-' || d, 'pager', 'i-' || d, s, 'prod',
       'Pages take ten seconds', 'major', broke, fixed,
       CASE WHEN linked = 1 THEN 'ci' END, CASE WHEN linked = 1 THEN 'd-' || d END,
       fixed, d, CASE WHEN linked = 1 THEN 'linked' ELSE 'guessed' END, s, finished
     FROM bench_facts WHERE failed = 1`,
  ];
}

/** What follows from it: the first deployment of a service has nothing to be compared with. */
export function durationStatements(dialect: Dialect): string[] {
  const rows = (select: string) =>
    `INSERT INTO durations (
       kind, service_id, subject_id, ended_at, duration, bucket, deployment_id)
     SELECT kind, s, subject, ended, duration, ${dialect.bucket(
       'duration',
     )}, deployment FROM (${select}) AS told`;
  return [
    rows(`SELECT 1 AS kind, f.s, ${changeId} AS subject, f.finished AS ended,
            f.finished - (${committed}) AS duration, f.d AS deployment
          FROM bench_facts f CROSS JOIN ${BOTH} WHERE f.k > 0`),
    rows(`SELECT 2 AS kind, s, d AS subject, fixed AS ended,
            fixed - broke AS duration, CAST(NULL AS bigint) AS deployment
          FROM bench_facts WHERE failed = 1`),
    rows(`SELECT 3 AS kind, s, d AS subject, fixed AS ended,
            fixed - finished AS duration, d AS deployment
          FROM bench_facts WHERE failed = 1`),
  ];
}
