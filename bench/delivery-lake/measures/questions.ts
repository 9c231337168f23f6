import type { Knex } from 'knex';
import { HISTORY_END } from '../load/statements';
import type { LakeServices } from './lakeServices';

const HOUR_MS = 3_600_000;

interface Scope {
  start: number;
  end: number;
  team?: string;
}

async function rowsOf<R>(
  knex: Knex,
  sql: string,
  bindings: (string | number)[],
): Promise<R[]> {
  const result = await knex.raw(sql, bindings);
  return Array.isArray(result) ? result : result.rows;
}

/**
 * Computes counts and the exact median directly from the records of the period, as an
 * ad hoc query would, with the existing indexes.
 */
async function plainMetrics(knex: Knex, { start, end, team }: Scope) {
  const inTeam = team
    ? `AND service_id IN (SELECT id FROM services WHERE team = 'group:default/${team}')`
    : '';
  const [counts] = await rowsOf<{ deployments: number; failed: number }>(
    knex,
    `SELECT COUNT(*) AS deployments, SUM(failed) AS failed FROM deployments
     WHERE counted = 1 AND finished_at >= ? AND finished_at < ? ${inTeam}`,
    [start, end],
  );
  const median =
    knex.client.config.client === 'pg'
      ? `percentile_cont(0.5) WITHIN GROUP (ORDER BY duration)`
      : `AVG(CASE WHEN place IN ((size + 1) / 2, size / 2 + 1) THEN duration END)`;
  const samples = `SELECT l.duration${
    knex.client.config.client === 'pg'
      ? ''
      : ', ROW_NUMBER() OVER (ORDER BY l.duration) AS place, COUNT(*) OVER () AS size'
  } FROM durations l JOIN deployments d ON d.id = l.deployment_id
    WHERE l.kind = 1 AND l.duration IS NOT NULL AND d.counted = 1
      AND d.finished_at >= ? AND d.finished_at < ? ${inTeam.replace(
        'service_id',
        'd.service_id',
      )}`;
  const [middle] = await rowsOf<{ duration: number }>(
    knex,
    `SELECT ${median} AS duration FROM (${samples}) AS samples`,
    [start, end],
  );
  const deployments = Number(counts.deployments);
  return {
    deployments,
    failureRate: ((Number(counts.failed) / deployments) * 100).toFixed(2),
    leadTimeHours: (Number(middle.duration) / HOUR_MS).toFixed(2),
  };
}

/** Reads the newest twenty deployments of a service, and their total. */
async function plainHistory(knex: Knex, service: string) {
  const rows = await rowsOf<{ public_id: string }>(
    knex,
    `SELECT d.* FROM deployments d JOIN services s ON s.id = d.service_id
     WHERE s.name = ? ORDER BY d.started_at DESC, d.id DESC LIMIT 20`,
    [service],
  );
  const [{ total }] = await rowsOf<{ total: number }>(
    knex,
    `SELECT COUNT(*) AS total FROM deployments d
     JOIN services s ON s.id = d.service_id WHERE s.name = ?`,
    [service],
  );
  return { total: Number(total), ids: rows.map(row => row.public_id) };
}

const DAY_MS = 24 * 60 * 60 * 1000;
const SERVICE = 'service-7';
const TEAM = 'team-1';

/** A measured read. */
export interface Question {
  what: string;
  /** Target in milliseconds. */
  target: number;
  /** True if it reads as many records in a small lake as in a large one. */
  sameSize: boolean;
  ask(services: LakeServices): Promise<unknown>;
  /**
   * Computes the same result from the records with plain SQL.
   *
   * @returns the values to compare with those of `essence`.
   */
  askPlainly(knex: Knex): Promise<unknown>;
  /** Returns the values of the lake's result that are comparable with those of plain SQL. */
  essence(answer: unknown): unknown;
}

function days(count: number) {
  const date = (time: number) => new Date(time).toISOString().slice(0, 10);
  const start = HISTORY_END - count * DAY_MS;
  return {
    start,
    end: HISTORY_END,
    query: { startDate: date(start), endDate: date(HISTORY_END - DAY_MS) },
  };
}

interface DoraAnswer {
  metrics: Record<
    'deploymentFrequency' | 'leadTimeForChanges' | 'changeFailureRate',
    { value: number; samples: number }
  >;
}

function dora(options: {
  what: string;
  target: number;
  sameSize: boolean;
  count: number;
  team?: string;
}): Question {
  const { count, team } = options;
  const { start, end, query } = days(count);
  return {
    ...options,
    ask: services =>
      services.dora.metrics({ ...query, project: undefined, team }),
    askPlainly: knex => plainMetrics(knex, { start, end, team }),
    essence: answer => {
      const { metrics } = answer as DoraAnswer;
      return {
        deployments: metrics.deploymentFrequency.samples,
        failureRate: metrics.changeFailureRate.value.toFixed(2),
        leadTimeHours: metrics.leadTimeForChanges.value.toFixed(2),
      };
    },
  };
}

/** The most frequent reads by users and pages. */
export const questions: readonly Question[] = [
  dora({
    what: 'One team, 30 days',
    target: 10,
    sameSize: true,
    count: 30,
    team: TEAM,
  }),
  dora({ what: 'All, 30 days', target: 50, sameSize: false, count: 30 }),
  dora({ what: 'All, 365 days', target: 150, sameSize: false, count: 365 }),
  {
    what: 'History of one service',
    target: 5,
    sameSize: true,
    ask: services => services.history.history({ service: SERVICE, limit: 20 }),
    askPlainly: knex => plainHistory(knex, SERVICE),
    essence: answer => {
      const { total, deployments } = answer as {
        total: number;
        deployments: { id: string }[];
      };
      return { total, ids: deployments.map(({ id }) => id) };
    },
  },
];
