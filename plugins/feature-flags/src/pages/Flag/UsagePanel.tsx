import { useMemo } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select, ToggleButton, ToggleButtonGroup } from '@backstage/ui';
import { Loaded, marksByBucket } from '@slipway/app-react';
import {
  type ChartPoint,
  formatAbsolute,
  formatBrief,
  formatClock,
  formatDay,
  formatDays,
  LoadingBlock,
  numberScale,
  Panel,
  SeriesChart,
  useUrlFilters,
} from '@slipway/design-system';
import type { FlagEnvironment } from '../../api/flags';
import {
  ALL_ENVIRONMENTS,
  type Interval,
  type UsagePoint,
} from '../../api/usage';
import { useMetrics, useUsage } from '../../queries/usage';
import { useDeployments } from '../../queries/deployments';
import { useLinks } from '../../routes';
import { flagsTranslationRef } from '../../translation';
import styles from './Flag.module.css';

/** A chart of the evaluations of a flag by hour or by day, in all environments or in one. */
export function UsagePanel(props: {
  name: string;
  environments: readonly FlagEnvironment[];
}) {
  const { name, environments } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const filters = useUrlFilters({ usage: 'hour', usageIn: '' });
  const interval: Interval = filters.values.usage === 'day' ? 'day' : 'hour';
  const environment = filters.values.usageIn || ALL_ENVIRONMENTS;
  const { data: metrics } = useMetrics(name, environment);
  return (
    <Panel
      title={t('usage.title')}
      action={
        <ToggleButtonGroup
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[interval]}
          onSelectionChange={([chosen]) => filters.set('usage', String(chosen))}
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
        <div className={styles.usageHead}>
          <p className={styles.quiet}>
            {metrics &&
              t('usage.lastHour', {
                yes: formatBrief(metrics.lastHourUsage.yes),
                no: formatBrief(metrics.lastHourUsage.no),
              })}
          </p>
          {environments.length > 1 && (
            <Select
              aria-label={t('usage.environment')}
              size="small"
              value={environment}
              onChange={key =>
                filters.set(
                  'usageIn',
                  key === null || key === ALL_ENVIRONMENTS ? '' : String(key),
                )
              }
              options={[
                { id: ALL_ENVIRONMENTS, label: t('usage.everywhere') },
                ...environments.map(each => ({
                  id: each.name,
                  label: each.name,
                })),
              ]}
            />
          )}
        </div>
        <Loaded
          query={useUsage(name, { environment, interval })}
          failed={t('usage.failed')}
          loading={<LoadingBlock label={t('usage.loading')} height={140} />}
        >
          {usage =>
            usage.some(({ yes, no }) => yes + no > 0) ? (
              <UsageChart name={name} interval={interval} usage={usage} />
            ) : (
              <p className={styles.quiet}>{t('usage.empty')}</p>
            )
          }
        </Loaded>
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
  const deployments = useDeployments(name);
  const points = useMemo(
    () =>
      usagePoints(usage, {
        interval,
        href,
        words: {
          evaluations: count =>
            t('usage.evaluations', { count, number: formatBrief(count) }),
          on: count => t('usage.on', { number: formatBrief(count) }),
          tentative: t('usage.tentative'),
        },
      }),
    [usage, interval, href, t],
  );
  const marks = marksByBucket(
    usage.map(({ timestamp }) => Date.parse(timestamp)),
    deployments,
  );
  const marked = points.map((point, index) => ({
    ...point,
    ...(marks[index].length > 0 && { marks: marks[index] }),
  }));
  const label = t(interval === 'day' ? 'usage.byDay' : 'usage.byHour');
  const largest = Math.max(...points.map(({ value }) => value ?? 0));
  return (
    <SeriesChart
      label={label}
      kind="bar"
      points={marked}
      {...numberScale(largest, { whole: true })}
      height={140}
      columns={{
        time: t('usage.time'),
        value: t('usage.value'),
        notes: t('usage.notes'),
      }}
    />
  );
}

/** The texts of a chart's points. */
interface UsageWords {
  evaluations(count: number): string;
  on(count: number): string;
  tentative: string;
}

/**
 * Converts usage to the points of a chart, in the user's time zone; days are in UTC, as in the
 * service.
 */
function usagePoints(
  usage: readonly UsagePoint[],
  options: { interval: Interval; href: string; words: UsageWords },
): ChartPoint[] {
  const { interval, href, words } = options;
  const isDay = interval === 'day';
  return usage.map(({ timestamp, yes, no }, index) => {
    const time = Date.parse(timestamp);
    const day = timestamp.slice(0, 10);
    const isCurrent = index === usage.length - 1;
    return {
      id: timestamp,
      label: isDay
        ? formatDays({ startDate: day, endDate: day })
        : formatAbsolute(time),
      tick: isDay ? formatDay(day) : formatClock(time),
      value: yes + no,
      valueText: words.evaluations(yes + no),
      notes: [words.on(yes), ...(isCurrent ? [words.tentative] : [])],
      tentative: isCurrent,
      href,
    };
  });
}
