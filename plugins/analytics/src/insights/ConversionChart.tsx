import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { type ChartMark, marksByBucket } from '@slipway/app-react';
import {
  type ChartPoint,
  formatPercent,
  numberScale,
  SeriesChart,
} from '@slipway/design-system';
import { useLocation } from 'react-router-dom';
import type { InsightQuery, TrendLine } from '../api/InsightQuery';
import { useProject } from '../projectQueries';
import { analyticsTranslationRef } from '../translation';
import { momentOf, periodEndOf } from './buckets';
import { ChartSection } from './ChartSection';
import { dayTextOf, tickOf } from './TrendCharts';
import { localTimesIn, nameOfValues, useValueWords } from './valueNames';

const HOUR_MS = 3_600_000;
/** Lengths in milliseconds of the units of a funnel's conversion window. */
const UNITS: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  month: 30 * 24 * HOUR_MS,
};
const WINDOW = 14;

/** Shows the percentage of people who complete a funnel, by when they started it. */
export function ConversionChart(props: {
  query: InsightQuery;
  line: Pick<TrendLine, 'data' | 'days' | 'labels' | 'breakdown_value'>;
  marks?: readonly ChartMark<string>[];
}) {
  const { query, line, marks = [] } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const words = useValueWords();
  const { pathname, search } = useLocation();
  const localTimes = localTimesIn(useProject().project?.timeZone ?? 'UTC');
  const { breakdown_value: value } = line;
  const label =
    value === undefined
      ? t('insight.conversion')
      : t('insight.conversionOf', {
          value: nameOfValues(value, words),
        });
  const starts = line.days.map(String);
  const marked = marksByBucket(starts, marks);
  const now = momentOf(localTimes.format(Date.now()));
  const periodEnd = periodEndOf(query, starts[starts.length - 1], localTimes);
  // Events after the period are not read, so everyone's time to convert ends with the period.
  const lastFinal = Math.min(now, periodEnd) - windowOf(query);
  const note = t(periodEnd > now ? 'insight.mayChange' : 'insight.cutShort');
  const points = starts.map((start, index): ChartPoint => {
    // This also covers people who started at the very end of the interval.
    const next = starts[index + 1];
    const end = next === undefined ? periodEnd : momentOf(next);
    return {
      id: start,
      label: dayTextOf(line.labels[index]),
      tick: tickOf(line.labels[index]),
      value: line.data[index],
      valueText: formatPercent(line.data[index]),
      ...(end > lastFinal && { tentative: true, notes: [note] }),
      ...(marked[index]?.length && { marks: marked[index] }),
      href: `${pathname}${search}`,
    };
  });
  return (
    <ChartSection label={label}>
      <SeriesChart
        label={label}
        kind="line"
        points={points}
        // Without any conversion, the line is at the bottom of the whole scale.
        {...numberScale(Math.max(...line.data) || 100, {
          write: figure => `${figure}%`,
        })}
        columns={{
          time: t('live.time'),
          value: label,
          notes: t('trends.notes'),
        }}
      />
    </ChartSection>
  );
}

/** Returns the conversion window of a funnel, in milliseconds. */
function windowOf({ funnelsFilter = {} }: InsightQuery): number {
  const {
    funnelWindowInterval: count = WINDOW,
    funnelWindowIntervalUnit: unit = 'day',
  } = funnelsFilter;
  return count * (UNITS[unit] ?? UNITS.day);
}
