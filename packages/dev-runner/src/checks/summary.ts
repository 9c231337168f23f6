import { formatDuration } from '../output/formatDuration.ts';
import type { CheckResult } from './runChecks.ts';

/**
 * The closing lines of a run of checks: how each failed one ended, which a log
 * cut to its end would lack otherwise, then all results. The last line counts,
 * in the plain form that CI systems look for.
 *
 * @param planned - how many checks should have run
 */
export function summary(
  results: readonly CheckResult[],
  planned: number,
): string {
  const width = Math.max(0, ...results.map(({ script }) => script.length));
  const failed = results.filter(({ ok }) => !ok).length;
  const counts = `${results.length - failed} passed, ${failed} failed`;
  const skipped = planned - results.length;
  return [
    ...results.flatMap(({ script, lastLines }) =>
      lastLines ? ['', `── how yarn ${script} ended`, ...lastLines] : [],
    ),
    '',
    ...results.map(
      ({ script, ok, durationMs }) =>
        `  ${ok ? 'ok    ' : 'failed'}  ${script.padEnd(
          width,
        )}  ${formatDuration(durationMs)}`,
    ),
    '',
    skipped > 0 ? `${counts}, ${skipped} skipped` : counts,
  ].join('\n');
}
