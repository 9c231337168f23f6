import type { Knex } from 'knex';
import { COUNT_COLUMNS } from '../metricCounts';

type Row = Record<string, string | number | null>;

/** Converts bigints, which PostgreSQL returns as text, to numbers. */
function withNumbers(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value !== null && /^-?\d+$/.test(String(value)) ? Number(value) : value,
    ]),
  );
}

/** Returns all derived data in a comparable form, without empty rows and revisions. */
export async function dumpDerived(knex: Knex) {
  const deployments: Row[] = await knex('deployments')
    .orderBy('id')
    .select(
      'external_id',
      'failed',
      'failure_cause',
      'rework',
      'rework_cause',
      'recovered_at',
      'rolled_back_at',
    );
  const incidents: Row[] = await knex('incidents')
    .orderBy('id')
    .select(
      'external_id',
      'deployment_id',
      'attribution',
      'deployment_service_id',
      'deployment_finished_at',
    );
  const durations: Row[] = await knex('durations').orderBy([
    'kind',
    'service_id',
    'subject_id',
  ]);
  const counts: Row[] = await knex('rollup_counts')
    .orderBy(['service_id', 'day'])
    .select('service_id', 'day', ...COUNT_COLUMNS);
  const histograms: Row[] = await knex('rollup_durations')
    .whereNot('samples', 0)
    .orderBy(['kind', 'period', 'bucket']);
  return {
    deployments: deployments.map(withNumbers),
    incidents: incidents.map(withNumbers),
    durations: durations.map(withNumbers),
    counts: counts
      .map(withNumbers)
      .filter(row => COUNT_COLUMNS.some(column => row[column] !== 0)),
    histograms: histograms.map(withNumbers),
  };
}
