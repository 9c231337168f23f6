import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Loaded } from '@slipway/app-react';
import {
  EmptyState,
  FilterBar,
  formatDuration,
  formatNumber,
  formatSize,
  LoadingBlock,
  PeriodPicker,
  resolvePeriod,
  Tile,
  todayIn,
  useUrlFilters,
} from '@slipway/design-system';
import type { UsageReport } from '../api/BuildsApi';
import { useUsage } from '../queries';
import { buildsTranslationRef } from '../translation';
import { UsageCharts } from './UsageCharts';
import { formatRate, UsageTables } from './UsageTables';
import styles from './UsagePage.module.css';

/** Shows admins the usage of builds: minutes, executors, queue time and disk space. */
export function UsagePage() {
  const { t } = useTranslationRef(buildsTranslationRef);
  const filters = useUrlFilters({ period: '' });
  // The build server counts days of UTC.
  const period = resolvePeriod(filters.values.period, todayIn('UTC'));
  const query = useUsage(period);
  return (
    <>
      <FilterBar filters={filters}>
        <PeriodPicker
          value={filters.values.period}
          period={period}
          onChange={value => filters.set('period', value)}
        />
      </FilterBar>
      <Loaded
        query={query}
        failed={t('usage.failed')}
        loading={<LoadingBlock label={t('usage.loading')} height={720} />}
      >
        {report => (
          <div className={styles.stack}>
            <Tiles report={report} />
            {report.totals.builds === 0 ? (
              <EmptyState
                title={t('usage.emptyTitle')}
                description={t('usage.emptyDescription')}
              />
            ) : (
              <>
                <UsageCharts parts={report.parts} />
                <UsageTables report={report} />
              </>
            )}
          </div>
        )}
      </Loaded>
    </>
  );
}

function Tiles({ report: { totals, disk } }: { report: UsageReport }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { builds, minutes, judged, succeeded, queue } = totals;
  return (
    <div className={styles.tiles}>
      <Tile
        label={t('usage.minutes')}
        value={formatNumber(minutes)}
        footnote={t('usage.buildsCount', { count: builds })}
        definition={t('usage.minutesHelp')}
      />
      <Tile
        label={t('usage.success')}
        value={formatRate(totals) ?? t('usage.none')}
        isEmpty={judged === 0}
        footnote={t('usage.ofBuilds', {
          succeeded: formatNumber(succeeded),
          judged: formatNumber(judged),
        })}
        definition={t('usage.successHelp')}
      />
      <Tile
        label={t('usage.queue')}
        value={
          queue
            ? t('usage.queueValue', {
                p50: formatDuration(queue.p50 * 1_000),
                p95: formatDuration(queue.p95 * 1_000),
              })
            : t('usage.none')
        }
        isEmpty={queue === null}
        footnote={queue && t('usage.queueParts')}
        definition={t('usage.queueHelp')}
      />
      <Tile
        label={t('usage.disk')}
        value={
          disk
            ? formatSize(disk.logs + disk.artifacts + disk.caches)
            : t('usage.counting')
        }
        isEmpty={disk === null}
        footnote={
          disk &&
          t('usage.diskParts', {
            logs: formatSize(disk.logs),
            artifacts: formatSize(disk.artifacts),
            caches: formatSize(disk.caches),
          })
        }
        definition={t('usage.diskHelp')}
      />
    </div>
  );
}
