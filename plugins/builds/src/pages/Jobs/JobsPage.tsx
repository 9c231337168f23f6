import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ReadFailure } from '@slipway/app-react';
import {
  EmptyState,
  FilterBar,
  LoadingRows,
  useUrlFilters,
} from '@slipway/design-system';
import type { JobSummary } from '../../api/types';
import { useJobs } from '../../data/useBuilds';
import { buildsTranslationRef } from '../../translation';
import { JobsTable } from './JobsTable';
import { QueuePanel } from './QueuePanel';

const RESULTS = ['SUCCESS', 'UNSTABLE', 'FAILURE', 'ABORTED'] as const;

/** Every job with its last result, and what waits. */
export function JobsPage() {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { data, error, isPending, refetch } = useJobs();
  const filters = useUrlFilters({ q: '', result: '' });
  const shown = data?.filter(job => isShown(job, filters.values)) ?? [];
  return (
    <>
      <FilterBar
        filters={filters}
        search={{ key: 'q', label: t('jobs.search') }}
        selects={[
          {
            key: 'result',
            label: t('jobs.result'),
            anyLabel: t('jobs.anyResult'),
            options: [
              ...RESULTS.map(value => ({ value, label: t(`result.${value}`) })),
              { value: 'running', label: t('result.running') },
            ],
          },
        ]}
        count={
          data && {
            shown: shown.length,
            total: data.length,
            noun: [t('jobs.nounOne'), t('jobs.nounMany')],
          }
        }
      />
      {data && <QueuePanel jobs={data} />}
      {isPending && <LoadingRows label={t('jobs.loading')} rows={6} />}
      {error && !data && (
        <ReadFailure
          title={t('jobs.failed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {data && shown.length === 0 && (
        <EmptyState
          title={t(data.length === 0 ? 'jobs.emptyTitle' : 'jobs.noneTitle')}
          description={t(
            data.length === 0
              ? 'jobs.emptyDescription'
              : 'jobs.noneDescription',
          )}
        />
      )}
      {shown.length > 0 && <JobsTable jobs={shown} />}
    </>
  );
}

function isShown(
  { name, description, lastBuild }: JobSummary,
  { q, result }: { q: string; result: string },
): boolean {
  const text = `${name} ${description ?? ''}`.toLowerCase();
  const state = lastBuild?.building ? 'running' : lastBuild?.result;
  return (
    text.includes(q.trim().toLowerCase()) && (result === '' || state === result)
  );
}
