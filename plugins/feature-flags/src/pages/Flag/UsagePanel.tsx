import { useMemo } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ToggleButton, ToggleButtonGroup } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import {
  LoadingBlock,
  niceTicks,
  Panel,
  SeriesTable,
  TimeSeriesChart,
  useUrlFilters,
} from '@slipway/design-system';
import type { Interval, UsagePoint } from '../../api/types';
import { formatCount } from '../../components/formatCount';
import { useMetrics, useUsage } from '../../data/useFlags';
import { useLinks } from '../../data/useLinks';
import { flagsTranslationRef } from '../../translation';
import { usagePoints } from './usagePoints';
import styles from './Flag.module.css';

/** How often a flag was asked for, by hour or by day. */
export function UsagePanel({ name }: { name: string }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const filters = useUrlFilters({ usage: '' });
  const interval: Interval = filters.values.usage === 'day' ? 'day' : 'hour';
  const { data, error, isPending, refetch } = useUsage(name, interval);
  const { data: metrics } = useMetrics(name);
  const isUsed = data?.some(({ yes, no }) => yes + no > 0) ?? false;
  return (
    <Panel
      title={t('usage.title')}
      action={
        <ToggleButtonGroup
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[interval]}
          onSelectionChange={keys =>
            filters.set('usage', keys.has('day') ? 'day' : '')
          }
          aria-label={t('usage.interval')}
        >
          <ToggleButton id="hour" size="small">
            {t('usage.hours')}
          </ToggleButton>
          <ToggleButton id="day" size="small">
            {t('usage.days')}
          </ToggleButton>
        </ToggleButtonGroup>
      }
    >
      <div className={styles.stack}>
        {metrics && (
          <p className={styles.quiet}>
            {t('usage.lastHour', {
              yes: formatCount(metrics.lastHourUsage.yes),
              no: formatCount(metrics.lastHourUsage.no),
            })}
          </p>
        )}
        {isPending && <LoadingBlock label={t('usage.loading')} height={140} />}
        {error && !data && (
          <ReadFailure
            title={t('usage.failed')}
            error={error}
            onRetry={() => refetch()}
          />
        )}
        {data && !isUsed && <p className={styles.quiet}>{t('usage.empty')}</p>}
        {data && isUsed && (
          <UsageChart name={name} interval={interval} usage={data} />
        )}
      </div>
    </Panel>
  );
}

function UsageChart(props: {
  name: string;
  interval: Interval;
  usage: readonly UsagePoint[];
}) {
  const { name, interval, usage } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const href = useLinks().flag(name);
  const points = useMemo(
    () =>
      usagePoints(usage, {
        interval,
        href,
        words: {
          evaluations: count =>
            t('usage.evaluations', { count, number: formatCount(count) }),
          on: count => t('usage.on', { number: formatCount(count) }),
          tentative: t('usage.tentative'),
        },
      }),
    [usage, interval, href, t],
  );
  const label = t(interval === 'day' ? 'usage.byDay' : 'usage.byHour');
  const largest = Math.max(...points.map(({ value }) => value ?? 0));
  return (
    <>
      <TimeSeriesChart
        label={label}
        kind="bar"
        points={points}
        ticks={niceTicks(Math.max(4, largest))}
        formatTick={formatCount}
        height={140}
      />
      <SeriesTable
        label={label}
        points={points}
        columns={{
          time: t('usage.time'),
          value: t('usage.value'),
          notes: t('usage.notes'),
        }}
        hidden
      />
    </>
  );
}
