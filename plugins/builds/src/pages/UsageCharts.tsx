import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  type ChartPoint,
  type ChartScale,
  durationScale,
  formatDay,
  formatDays,
  formatDuration,
  formatNumber,
  METRIC_COLORS,
  numberScale,
  Panel,
  SeriesChart,
} from '@slipway/design-system';
import type { UsagePart } from '../api/BuildsApi';
import { useLinks } from '../routes';
import { buildsTranslationRef } from '../translation';
import { formatRate } from './UsageTables';
import styles from './UsagePage.module.css';

interface Series {
  label: string;
  kind: 'bar' | 'line';
  /** Number of the chart colour. */
  color: number;
  valueOf(part: UsagePart): number | null;
  textOf(part: UsagePart, value: number): string;
  notesOf?(part: UsagePart): string[];
  scaleOf(largest: number): ChartScale;
}

/** Shows usage over time, each series as a chart and, for screen readers, as a table. */
export function UsageCharts({ parts }: { parts: readonly UsagePart[] }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const builds = ({ builds: count }: UsagePart) =>
    t('usage.buildsCount', { count });
  const series: Series[] = [
    {
      label: t('usage.minutesChart'),
      kind: 'bar',
      color: 1,
      valueOf: ({ minutes }) => minutes,
      textOf: (_part, minutes) => formatNumber(minutes),
      notesOf: part => [builds(part)],
      scaleOf: largest => numberScale(largest, { whole: true }),
    },
    {
      label: t('usage.executors'),
      kind: 'bar',
      color: 6,
      valueOf: ({ executors }) => executors,
      textOf: (_part, executors) => String(executors),
      scaleOf: largest => numberScale(largest),
    },
    {
      label: t('usage.queueChart'),
      kind: 'line',
      color: 8,
      valueOf: ({ queue }) => queue && queue.p95 * 1_000,
      textOf: (_part, ms) => formatDuration(ms),
      notesOf: ({ queue }) =>
        queue
          ? [t('usage.half', { value: formatDuration(queue.p50 * 1_000) })]
          : [],
      // Less than a second does not count as a wait.
      scaleOf: largest => durationScale(largest && Math.max(largest, 1_000)),
    },
    {
      label: t('usage.successChart'),
      kind: 'line',
      color: METRIC_COLORS.buildSuccessRate,
      valueOf: ({ judged, succeeded }) =>
        judged === 0 ? null : succeeded / judged,
      textOf: part => formatRate(part) ?? '',
      notesOf: ({ succeeded, judged }) => [
        t('usage.ofBuilds', {
          succeeded: formatNumber(succeeded),
          judged: formatNumber(judged),
        }),
      ],
      scaleOf: () =>
        numberScale(1, { per: 0.01, write: figure => `${figure}%` }),
    },
  ];
  return (
    <div className={styles.charts}>
      {series.map(one => (
        <UsageChart key={one.label} series={one} parts={parts} />
      ))}
    </div>
  );
}

function UsageChart(props: { series: Series; parts: readonly UsagePart[] }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const links = useLinks();
  const { parts } = props;
  const { label, kind, color, valueOf, textOf, notesOf, scaleOf } =
    props.series;
  const points = parts.map((part): ChartPoint => {
    const value = valueOf(part);
    return {
      id: part.from,
      label: formatDays({ startDate: part.from, endDate: part.to }),
      tick: formatDay(part.from),
      value,
      valueText: value === null ? t('usage.none') : textOf(part, value),
      notes: [
        ...(notesOf?.(part) ?? []),
        ...(part.isOver ? [] : [t('usage.lasting')]),
      ],
      tentative: !part.isOver,
      href: links.jobs,
    };
  });
  const largest = Math.max(0, ...points.map(({ value }) => value ?? 0));
  return (
    <Panel title={label}>
      <SeriesChart
        label={label}
        kind={kind}
        color={color}
        points={points}
        {...scaleOf(largest)}
        columns={{
          time: t('usage.day'),
          value: label,
          notes: t('usage.notes'),
        }}
      />
    </Panel>
  );
}
