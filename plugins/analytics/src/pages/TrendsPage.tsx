import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select, TextField } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import {
  type ChartPoint,
  EmptyState,
  LoadingBlock,
  numberScale,
  Panel,
  SeriesTable,
  TimeSeriesChart,
  useUrlFilters,
} from '@slipway/design-system';
import { useLocation } from 'react-router-dom';
import type { TrendLine, TrendsQuery } from '../api/EventsApi';
import { useEventNames, useProject, useTrends } from '../queries';
import { analyticsTranslationRef } from '../translation';
import styles from '../analytics.module.css';

const MATHS = ['total', 'dau'] as const;
const INTERVALS = ['hour', 'day', 'week', 'month'] as const;
const PERIODS = ['-24h', '-7d', '-30d', '-90d'] as const;
const DEFAULTS = {
  event: '',
  math: 'total',
  interval: 'day',
  period: '-30d',
  by: '',
};
const ANY = '__any__';

/** How often an event happens, over time; the address holds the question. */
export function TrendsPage() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { project } = useProject();
  const { values } = useUrlFilters(DEFAULTS);
  const query: TrendsQuery = {
    series: [
      {
        kind: 'EventsNode',
        ...(values.event && { event: values.event }),
        math: values.math,
      },
    ],
    interval: values.interval,
    dateRange: { date_from: values.period },
    ...(values.by && { breakdownFilter: { breakdown: values.by } }),
  };
  return (
    <div className={styles.stack}>
      <TrendsForm />
      <Loaded
        query={useTrends(project?.id, query)}
        failed={t('trends.failed')}
        loading={<LoadingBlock label={t('trends.loading')} height={200} />}
      >
        {lines =>
          lines.some(({ count }) => count > 0) ? (
            lines.map((line, index) => (
              <TrendPanel
                key={line.label}
                line={line}
                color={index === 0 ? 1 : 2}
              />
            ))
          ) : (
            <EmptyState
              title={t('query.emptyTitle')}
              description={t('query.emptyDescription')}
            />
          )
        }
      </Loaded>
    </div>
  );
}

/** What is counted, and how. Choices count at once, the property from leaving its field on. */
function TrendsForm() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { project } = useProject();
  const names = useEventNames(project?.id).data ?? [];
  const { values, set } = useUrlFilters(DEFAULTS);
  const { event } = values;
  const choice = (
    key: 'math' | 'interval' | 'period',
    options: readonly { value: string; label: string }[],
  ) => (
    <Select
      label={t(`trends.${key}`)}
      size="small"
      value={values[key]}
      onChange={value => set(key, String(value))}
      options={[...options]}
    />
  );
  return (
    <div className={styles.form} role="search">
      <Select
        label={t('query.event')}
        size="small"
        value={event || ANY}
        onChange={value => set('event', value === ANY ? '' : String(value))}
        options={[
          { value: ANY, label: t('live.anyEvent') },
          ...[...new Set([...names, ...(event ? [event] : [])])].map(name => ({
            value: name,
            label: name,
          })),
        ]}
      />
      {choice(
        'math',
        MATHS.map(value => ({ value, label: t(`trends.maths.${value}`) })),
      )}
      {choice(
        'interval',
        INTERVALS.map(value => ({
          value,
          label: t(`trends.intervals.${value}`),
        })),
      )}
      {choice(
        'period',
        PERIODS.map(value => ({ value, label: t(`trends.periods.${value}`) })),
      )}
      <TextField
        className={styles.wide}
        size="small"
        label={t('trends.by')}
        defaultValue={values.by}
        onBlur={({ target }) =>
          set('by', (target as HTMLInputElement).value.trim())
        }
      />
    </div>
  );
}

/** One line, as bars and as a table. */
function TrendPanel({ line, color }: { line: TrendLine; color: number }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { pathname } = useLocation();
  const href = pathname.replace(/\/[^/]*$/, '/query');
  const label = nameOf(line.label, {
    none: t('trends.none'),
    other: t('trends.other'),
  });
  const points = line.data.map((value, index): ChartPoint => ({
    id: line.days[index],
    label: line.labels[index],
    tick: line.labels[index].replace(/-\d{4}/, '').replace('-', ' '),
    value,
    valueText: value.toLocaleString('en'),
    href,
  }));
  const largest = Math.max(...line.data);
  return (
    <Panel title={`${label}: ${line.count.toLocaleString('en')}`}>
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
    </Panel>
  );
}

/** Lines that stand for what has no value, and for all other values, have names of PostHog's. */
function nameOf(label: string, words: { none: string; other: string }): string {
  return label
    .replace('$$_posthog_breakdown_null_$$', words.none)
    .replace('$$_posthog_breakdown_other_$$', words.other);
}
