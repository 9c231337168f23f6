import type { Knex } from 'knex';

/** Fixed bounds of the loaded history, so that a loaded database can be reused. */
const HISTORY_START = Date.UTC(2024, 10, 21);
export const HISTORY_END = Date.UTC(2026, 10, 21);

const SERVICES_PER_TEAM = 20;
/** Deployments per service in two years. */
const DEPLOYMENTS_PER_SERVICE = 5_000;

/** The size of a lake. */
export interface LakeSize {
  deployments: number;
  services: number;
  teams: number;
  /** Deployments per service. */
  deploymentsPerService: number;
  /** Milliseconds between two deployment slots of a service. */
  step: number;
}

/**
 * Returns the size of a lake with approximately the given number of deployments. A smaller
 * lake has fewer services and teams, each as active as in a large one, so queries about
 * one of them have the same result but search less data.
 */
export function lakeSize(deployments: number): LakeSize {
  const services = Math.max(
    SERVICES_PER_TEAM,
    Math.round(deployments / DEPLOYMENTS_PER_SERVICE),
  );
  const deploymentsPerService = Math.round(deployments / services);
  return {
    deployments: services * deploymentsPerService,
    services,
    teams: Math.ceil(services / SERVICES_PER_TEAM),
    deploymentsPerService,
    step: Math.floor((HISTORY_END - HISTORY_START) / deploymentsPerService),
  };
}

/** Differences between the two SQL dialects. */
interface Dialect {
  /** A series of numbers from 0, selected as `k`. */
  series(count: number): string;
  /** A number as forty hexadecimal digits. */
  hex(number: string): string;
  /** The lake's `durationBucket` of a number of milliseconds. */
  bucket(milliseconds: string): string;
  /** The lake's number of a day, such as 20261121, from days since the epoch. */
  day(days: string): string;
  /** The beginning of a statement that creates a temporary table. */
  scratch: string;
}

const sqlite: Dialect = {
  series: count =>
    `(WITH RECURSIVE n(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM n WHERE k < ${
      count - 1
    }) SELECT k FROM n) AS n`,
  hex: number => `printf('%040x', ${number})`,
  bucket: milliseconds =>
    `CAST(floor(log2(${milliseconds} + 1) * 32) AS INTEGER)`,
  day: days =>
    `CAST(strftime('%Y%m%d', (${days}) * 86400, 'unixepoch') AS INTEGER)`,
  scratch: 'CREATE TABLE',
};

const postgres: Dialect = {
  series: count =>
    `(SELECT k::bigint AS k FROM generate_series(0, ${count - 1}) AS k) AS n`,
  hex: number => `lpad(to_hex(${number}), 40, '0')`,
  bucket: milliseconds =>
    `floor(ln((${milliseconds} + 1)::float8) / ln(2::float8) * 32)::int`,
  day: days => `to_char(DATE '1970-01-01' + (${days})::int, 'YYYYMMDD')::int`,
  scratch: 'CREATE UNLOGGED TABLE',
};

/** Returns the dialect of a database. */
export function dialectOf(knex: Knex): Dialect {
  return knex.client.config.client === 'pg' ? postgres : sqlite;
}

/*
 * Facts are computed by arithmetic from the number of a service (s) and of its deployment
 * (k), so they are the same in both databases and known without derivation. Every
 * deployment reached production and includes two changes. One in twenty failed and has one
 * incident, which ends within 75 minutes, before the next deployment starts. The next
 * deployment rolls back a third of the failed ones.
 */

const jitter = (k: string) => `((s * 7919 + (${k}) * 104729) % 9973)`;
const failed = (k: string) =>
  `(CASE WHEN (s * 31 + (${k}) * 17 + ((${k}) * (${k})) % 101) % 20 = 0 THEN 1 ELSE 0 END)`;

/**
 * Returns the statements that fill `bench_facts`: a row per deployment, numbered in
 * chronological order.
 */
export function factStatements(dialect: Dialect, size: LakeSize): string[] {
  const { services, deploymentsPerService, step } = size;
  const half = Math.floor(step / 2);
  const finished = (k: string) =>
    `${HISTORY_START} + (${k}) * ${step} + ${jitter(k)} * ${half} / 9973`;
  const isLast = `k = ${deploymentsPerService - 1}`;
  const rolledBack = `(CASE WHEN ${isLast} OR (s + k) % 3 <> 0 THEN 0 ELSE ${failed(
    'k',
  )} END)`;
  const rollsBack = `(CASE WHEN k = 0 OR (s + k - 1) % 3 <> 0 THEN 0 ELSE ${failed(
    'k - 1',
  )} END)`;
  return [
    `${dialect.scratch} bench_facts (
       d bigint, s bigint, k bigint, started bigint, finished bigint,
       failed int, linked int, rolled_back_at bigint, rolls_back int,
       unplanned int, broke bigint, fixed bigint)`,
    `INSERT INTO bench_facts
     SELECT k * ${services} + s AS d, s, k,
       finished - 120000 - (s + k) % 10 * 60000, finished,
       ${failed('k')}, (s + k) % 2,
       CASE WHEN ${rolledBack} = 1 THEN ${finished('k + 1')} END,
       ${rollsBack},
       CASE WHEN (s * 13 + k * 7) % 37 = 0 THEN 1 ELSE 0 END,
       finished + 300000 + (s * 97 + k * 53) % 600 * 1000,
       finished + 300000 + (s * 97 + k * 53) % 600 * 1000
         + 600000 + (s * 89 + k * 71) % 3000 * 1000
     FROM (
       SELECT id AS s, k, ${finished('k')} AS finished
       FROM (SELECT k, CAST(services.id AS bigint) AS s, CAST(services.id AS bigint) AS id
             FROM ${dialect.series(
               deploymentsPerService,
             )} CROSS JOIN services) AS pairs
     ) AS timed ORDER BY 1`,
  ];
}

/** Landing time of a change: twenty or ten minutes before its deployment started. */
const landed = 'f.started - 600000 * (2 - j)';
const choice = '((f.s * 211 + f.k * 37 + j * 5003) % 9973)';
/** Commit time of a change: minutes to three weeks before it landed, mostly shortly before. */
const committed = `${landed} - 60000 - ${choice} * ${choice} * 20`;
const changeId = '(f.d - 1) * 2 + j + 1';
const BOTH = '(SELECT 0 AS j UNION ALL SELECT 1) AS both_changes';

/**
 * Returns the statements that insert services and teams; records reference them by arithmetic on
 * their number.
 */
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

/** Returns the statements that insert the records, derived from `bench_facts`. */
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

/**
 * Returns the statements that insert derived durations. The first deployment of a service has
 * no predecessor.
 */
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

const DAY = '86400000';

/**
 * Returns the statements that insert rollups: counts by service and day, then totals;
 * histograms by day and month.
 */
export function rollupStatements(dialect: Dialect): string[] {
  const counts = [
    'deployments',
    'failed',
    'failed_guessed',
    'rework',
    'rework_guessed',
    'changes',
    'changes_unknown',
    'restores',
    'recoveries',
  ];
  const sums = counts.map(count => `SUM(${count})`).join(', ');
  const columns = `(service_id, day, ${counts.join(', ')}, revision)`;
  return [
    `INSERT INTO rollup_counts ${columns}
     SELECT service_id, ${dialect.day('days')}, ${sums}, 1 FROM (
       SELECT service_id, finished_at / ${DAY} AS days, COUNT(*) AS deployments,
         SUM(failed) AS failed,
         SUM(CASE WHEN failure_cause = 'guess' THEN 1 ELSE 0 END) AS failed_guessed,
         SUM(rework) AS rework,
         SUM(CASE WHEN rework_cause = 'guess' THEN 1 ELSE 0 END) AS rework_guessed,
         0 AS changes, 0 AS changes_unknown, 0 AS restores, 0 AS recoveries
       FROM deployments WHERE counted = 1 GROUP BY 1, 2
       UNION ALL
       SELECT service_id, ended_at / ${DAY}, 0, 0, 0, 0, 0,
         SUM(CASE WHEN kind = 1 AND duration IS NOT NULL THEN 1 ELSE 0 END),
         SUM(CASE WHEN kind = 1 AND duration IS NULL THEN 1 ELSE 0 END),
         SUM(CASE WHEN kind = 2 THEN 1 ELSE 0 END),
         SUM(CASE WHEN kind = 3 THEN 1 ELSE 0 END)
       FROM durations GROUP BY 1, 2
     ) AS parts GROUP BY service_id, days`,
    `INSERT INTO rollup_counts ${columns}
     SELECT 0, day, ${sums}, 1 FROM rollup_counts GROUP BY day`,
    `INSERT INTO rollup_durations (kind, period, bucket, samples)
     SELECT kind, ${dialect.day('days')}, bucket, samples FROM (
       SELECT kind, ended_at / ${DAY} AS days, bucket, COUNT(*) AS samples
       FROM durations WHERE duration IS NOT NULL GROUP BY 1, 2, 3) AS parts`,
    `INSERT INTO rollup_durations (kind, period, bucket, samples)
     SELECT kind, period / 100, bucket, SUM(samples) FROM rollup_durations
     GROUP BY 1, 2, 3`,
  ];
}
