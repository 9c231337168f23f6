import type { ReactNode } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Skeleton } from '@backstage/ui';
import {
  type RemixiconComponentType,
  RiArrowUpCircleFill,
  RiStarFill,
} from '@remixicon/react';
import {
  daysIn,
  Skeletons,
  Sparkline,
  StatusBadge,
  Tile,
  type Tone,
} from '@slipway/design-system';
import {
  type DoraMetric,
  type DoraMetricName,
  type DoraMetricsResponse,
  type DoraSeriesResponse,
  FOUR_KEYS,
  type Performance,
} from '@slipway/plugin-delivery-lake-common';
import { COLORS, describeChange, formatMetric } from '../format/metricValue';
import { deliveryLakeTranslationRef, type Translate } from '../translation';
import styles from './MetricTiles.module.css';

/** The metrics that are shown in smaller tiles next to the four keys. */
const FURTHER = [
  'failedDeploymentRecoveryTime',
  'deploymentReworkRate',
] as const satisfies DoraMetricName[];

/** Shows the four keys, and two other common metrics. */
export function MetricTiles(props: {
  metrics: DoraMetricsResponse;
  series?: DoraSeriesResponse;
  /** Shown next to the two smaller tiles. */
  aside?: ReactNode;
}) {
  const { metrics, series, aside } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { beyond } = metrics;
  const common = (name: DoraMetricName) => ({
    name,
    levels: beyond.levels,
    days: daysIn(metrics.period),
    notes: notesOf(t, name, beyond),
  });
  return (
    <div
      className={styles.groups}
      role="group"
      aria-label={t('overview.tiles')}
    >
      <div className={styles.four}>
        {FOUR_KEYS.map(name => (
          <MetricTile
            key={name}
            {...common(name)}
            metric={metrics.metrics[name]}
            course={
              series?.points.map(point => point.metrics[name].value) ??
              'loading'
            }
          />
        ))}
      </div>
      <div className={styles.beside} data-aside={aside !== undefined}>
        {FURTHER.map(name => (
          <MetricTile
            key={name}
            {...common(name)}
            metric={beyond[name]}
            size="small"
          />
        ))}
        {aside}
      </div>
    </div>
  );
}

/** Returns notes about the reliability of a number. */
function notesOf(
  t: Translate,
  name: DoraMetricName,
  beyond: DoraMetricsResponse['beyond'],
): string[] {
  switch (name) {
    case 'leadTimeForChanges':
      return beyond.changesWithoutLeadTime > 0
        ? [
            t('samples.withoutLeadTime', {
              count: beyond.changesWithoutLeadTime,
            }),
          ]
        : [];
    case 'changeFailureRate':
      return beyond.failures.guessed > 0
        ? [t('samples.guessedFailures', { count: beyond.failures.guessed })]
        : [];
    case 'timeToRestoreService':
      return beyond.openIncidents > 0
        ? [t('samples.openIncidents', { count: beyond.openIncidents })]
        : [];
    default:
      return [];
  }
}

/** Shows a metric of a period as a tile. */
function MetricTile(props: {
  name: DoraMetricName;
  metric: DoraMetric;
  /** Used to explain the source of the level. */
  levels: DoraMetricsResponse['beyond']['levels'];
  /** Length of the period in days. */
  days: number;
  /** Further notes about the data that the value is based on. */
  notes?: readonly string[];
  /** The values over the period; room is reserved while they load. */
  course?: readonly (number | null)[] | 'loading';
  size?: 'medium' | 'small';
}) {
  const { name, metric, levels, days, notes = [], course, size } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const isEmpty = metric.samples === 0;
  const change = describeChange(t, name, metric, days);
  const basis = t(`samples.${name}`, { count: metric.samples });
  return (
    <Tile
      size={size}
      label={t(`metric.${name}`)}
      value={formatMetric(t, name, isEmpty ? null : metric.value)}
      isEmpty={isEmpty}
      badge={!isEmpty && <LevelBadge level={metric.performance} />}
      change={change}
      chart={!isEmpty && course && <Course name={name} values={course} />}
      footnote={[...(isEmpty ? [] : [basis]), ...notes].join(' · ')}
      definition={
        <>
          <p>{t(`definition.${name}`)}</p>
          <p>
            {t(
              levels === 'table'
                ? 'definition.levelsTable'
                : 'definition.levelsPercentile',
            )}
          </p>
        </>
      }
    />
  );
}

const LOOKS: Record<
  Performance,
  { tone: Tone; icon?: RemixiconComponentType }
> = {
  elite: { tone: 'success', icon: RiStarFill },
  high: { tone: 'success', icon: RiArrowUpCircleFill },
  medium: { tone: 'warning' },
  low: { tone: 'danger' },
};

/** Shows a performance level as a word, shape and colour. */
export function LevelBadge({ level }: { level: Performance }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return <StatusBadge {...LOOKS[level]} label={t(`level.${level}`)} />;
}

function Course(props: {
  name: DoraMetricName;
  values: readonly (number | null)[] | 'loading';
}) {
  const { name, values } = props;
  return values === 'loading' ? (
    <div className={styles.room} />
  ) : (
    <Sparkline values={values} color={COLORS[name]} />
  );
}

/** Placeholder for the tiles, and for the content next to them if `hasAside` is set. */
export function MetricTilesSkeleton(props: {
  label: string;
  hasAside?: boolean;
}) {
  const { label, hasAside = false } = props;
  return (
    <Skeletons label={label}>
      <div className={styles.groups}>
        <div className={styles.four}>
          {[0, 1, 2, 3].map(tile => (
            <TileSkeleton key={tile} height={166} />
          ))}
        </div>
        <div className={styles.beside} data-aside={hasAside}>
          {(hasAside ? [0, 1, 2] : [0, 1]).map(tile => (
            <TileSkeleton key={tile} height={tile === 2 ? 210 : 126} />
          ))}
        </div>
      </div>
    </Skeletons>
  );
}

function TileSkeleton({ height }: { height: number }) {
  return (
    <div className={styles.skeleton} style={{ minHeight: height }}>
      <Skeleton width="56%" height={14} />
      <Skeleton width="40%" height={24} />
      <Skeleton width="72%" height={14} />
    </div>
  );
}
