import type { Knex } from 'knex';

const BIGINTS = /^(.*_at|.*position|revision|events)$/;

type Row = Record<string, unknown>;

async function rows(knex: Knex, statement: string): Promise<Row[]> {
  const answer: unknown = await knex.raw(statement);
  const found = Array.isArray(answer)
    ? answer
    : (answer as { rows: Row[] }).rows;
  // PostgreSQL returns bigints as text, and ids differ in each run.
  return found
    .map((row: Row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column,
          value !== null && BIGINTS.test(column) ? Number(value) : value,
        ]),
      ),
    )
    .sort((a: Row, b: Row) =>
      JSON.stringify(a).localeCompare(JSON.stringify(b), 'en-US'),
    );
}

/**
 * Dumps the contents of a lake with names instead of ids, so that equal lakes have
 * equal dumps.
 */
export async function dumpLake(knex: Knex) {
  return {
    events: await rows(
      knex,
      'SELECT kind, record_key, digest, occurred_at FROM lake_events',
    ),
    deployments: await rows(
      knex,
      `SELECT d.source, d.external_id, s.name AS service, d.environment, d.status,
         d.started_at, d.finished_at, d.version, d.triggered_by,
         p.name AS repository, d.commit_sha, d.commit_message, d.commit_author,
         d.lists_changes, d.rollback_of, d.unplanned, d.url, d.revision,
         d.counted, d.head_position
       FROM deployments d JOIN services s ON s.id = d.service_id
       LEFT JOIN repositories p ON p.id = d.repository_id`,
    ),
    listed: await rows(
      knex,
      `SELECT d.external_id, p.name AS repository, l.sha
       FROM deployment_changes l JOIN deployments d ON d.id = l.deployment_id
       JOIN repositories p ON p.id = l.repository_id`,
    ),
    changes: await rows(
      knex,
      `SELECT p.name AS repository, c.sha, c.message, c.author, c.committed_at,
         c.position, c.url, c.revision
       FROM changes c JOIN repositories p ON p.id = c.repository_id`,
    ),
    incidents: await rows(
      knex,
      `SELECT i.source, i.external_id, s.name AS service, i.environment, i.title,
         i.severity, i.started_at, i.resolved_at, i.link_source,
         i.link_external_id, i.link_sha, i.url, i.revision
       FROM incidents i LEFT JOIN services s ON s.id = i.service_id`,
    ),
    sources: await rows(knex, 'SELECT source, events FROM lake_sources'),
  };
}
