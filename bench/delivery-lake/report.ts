import { duration, percentile, type Row } from '../workspaces/Row';
import type { IngestRates } from './measures/measureIngest';
import type { ReadTimes } from './measures/measureReads';

const RATIO_TARGET = 1.5;
/** Below this the clock and the scheduler are what is measured. */
const NOISE_MS = 0.5;
const INGEST_TARGET = 5_000;

function median(samples: readonly number[]): string {
  return duration(percentile(samples, 50));
}

/** How an answer's time grew with the lake. */
function ratioRow(name: string, large: ReadTimes, small: ReadTimes): Row {
  const [much, little] = [large, small].map(({ fresh }) =>
    percentile(fresh, 50),
  );
  const ratio = much / little;
  const { what, sameSize } = large.question;
  return {
    what: `${name}: ${what}, large beside small`,
    target: sameSize ? `≤ ${RATIO_TARGET} times` : '–',
    measured: `${ratio.toFixed(2)} times`,
    beside: `small lake: ${median(small.fresh)}`,
    met: sameSize ? ratio <= RATIO_TARGET || much - little <= NOISE_MS : null,
  };
}

/** Rows of one database: every question, and what size does to it. */
export function readRows(
  name: string,
  large: ReadTimes[],
  small: ReadTimes[],
): Row[] {
  return large.flatMap((times, index) => {
    const { question, cold, fresh, again, plain } = times;
    return [
      {
        what: `${name}: ${question.what}`,
        target: `≤ ${question.target} ms`,
        measured: `${median(fresh)}, p95 ${duration(
          percentile(fresh, 95),
        )}; again ${median(again)}; cold ${median(cold)}`,
        beside: `plain SQL: ${median(plain)}`,
        met: percentile(fresh, 50) <= question.target,
      },
      ratioRow(name, times, small[index]),
    ];
  });
}

/** The row of the ingest. */
export function ingestRow({ lake, plain }: IngestRates): Row {
  const rate = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;
  return {
    what: 'PostgreSQL: deployments taken in, batches of 1,000, durable',
    target: `≥ ${rate(INGEST_TARGET)}`,
    measured: rate(lake),
    beside: `one bare row each: ${rate(plain)}`,
    met: lake >= INGEST_TARGET,
  };
}
