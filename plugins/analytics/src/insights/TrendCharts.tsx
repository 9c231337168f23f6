import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { type ChartMark, marksByBucket } from '@slipway/app-react';
import {
  type ChartPoint,
  numberScale,
  SeriesTable,
  TimeSeriesChart,
} from '@slipway/design-system';
import { useLocation } from 'react-router-dom';
import type { TrendLine } from '../api/InsightQuery';
import { analyticsTranslationRef } from '../translation';
import { formatCount, nameOfValue } from './valueNames';
import styles from '../analytics.module.css';

const COLORS = 8;
/** Series of distinct users have no sum: it would count a user once for each day. */
const DISTINCT: ReadonlySet<string> = new Set([
  'dau',
  'weekly_active',
  'monthly_active',
  'unique_session',
  'unique_group',
]);
const DATE = /^\d{4}-\d{2}-\d{2}/;

/**
 * Shows each line as a bar chart, and as a table for screen readers.
 *
 * @param props.marks - what happened, in the local time of the buckets.
 */
export function TrendCharts(props: {
  lines: readonly TrendLine[];
  marks?: readonly ChartMark<string>[];
  /** True if what is around the charts names the only line. */
  isUntitled?: boolean;
}) {
  const { lines, marks = [], isUntitled = false } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const words = { none: t('trends.none'), other: t('trends.other') };
  return (
    <div className={styles.charts} data-many={lines.length > 1}>
      {lines.map((line, index) => {
        const name = nameOfValue(line.label, words);
        const label = line.compare_label
          ? `${name}, ${t(`trends.periodsCompared.${line.compare_label}`)}`
          : name;
        return (
          <TrendChart
            key={`${line.label} ${line.compare_label}`}
            label={label}
            line={line}
            marks={marks}
            isUntitled={isUntitled}
            color={(index % COLORS) + 1}
          />
        );
      })}
    </div>
  );
}

function TrendChart(props: {
  label: string;
  line: TrendLine;
  marks: readonly ChartMark<string>[];
  isUntitled: boolean;
  color: number;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { pathname, search } = useLocation();
  const { label, line, marks, isUntitled, color } = props;
  // The buckets of stickiness are numbers of days, not moments.
  const starts = line.days.map(String);
  const isOverTime = starts.every(start => DATE.test(start));
  const marked = isOverTime ? marksByBucket(starts, marks) : [];
  // Dormant people are negative numbers, but drawn upwards like the others.
  const points = line.data.map((value, index): ChartPoint => ({
    id: String(line.days[index]),
    label: line.labels[index],
    tick: line.labels[index].replace(/-\d{4}/, '').replace('-', ' '),
    value: Math.abs(value),
    valueText: formatCount(Math.abs(value)),
    ...(marked[index]?.length && { marks: marked[index] }),
    href: `${pathname}${search}`,
  }));
  const largest = Math.max(...points.map(({ value }) => value ?? 0));
  return (
    <section className={styles.chart} aria-label={label}>
      {!isUntitled && (
        <h3 className={styles.chartTitle}>
          <span>{label}</span>
          {!DISTINCT.has(line.action?.math ?? '') && (
            <span className={styles.number}>
              {formatCount(Math.abs(line.count))}
            </span>
          )}
        </h3>
      )}
      <TimeSeriesChart
        label={label}
        kind="bar"
        points={points}
        {...numberScale(largest, { whole: true })}
        color={color}
      />
      <SeriesTable
        label={label}
        points={points}
        columns={{
          time: t('live.time'),
          value: t('trends.value'),
          notes: t('trends.notes'),
        }}
        hidden
      />
    </section>
  );
}
