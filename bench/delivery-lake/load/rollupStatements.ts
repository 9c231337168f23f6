import type { Dialect } from './dialect';

const DAY = '86400000';

/** Counts by service and day, then of everything together; histograms by day and month. */
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
