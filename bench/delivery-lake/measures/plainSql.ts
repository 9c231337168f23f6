import type { Knex } from 'knex';

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
 * What somebody would write into a console: counts and the exact median straight
 * from the records of the period, with the indexes that are there.
 */
export async function plainMetrics(knex: Knex, { start, end, team }: Scope) {
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

/** The newest twenty of a service and how many there are. */
export async function plainHistory(knex: Knex, service: string) {
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
