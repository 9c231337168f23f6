import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useEntity } from '@backstage/plugin-catalog-react';
import { ReadFailure, isMissing } from '@slipway/app-react';
import { EmptyState, LoadingRows } from '@slipway/design-system';
import { useJob } from '../data/useBuilds';
import { BuildHistory } from '../pages/Job/BuildHistory';
import { buildsTranslationRef } from '../translation';

/** Names the job that builds a component. */
const ANNOTATION = 'slipway.dev/build-job';

/** The builds of a component, as a tab of its page. */
export function EntityBuilds() {
  const { entity } = useEntity();
  const job = entity.metadata.annotations?.[ANNOTATION] ?? '';
  return <JobBuilds job={job} />;
}

function JobBuilds({ job }: { job: string }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { data, error, refetch } = useJob(job);
  if (data) {
    return <BuildHistory job={data} />;
  }
  if (!error) {
    return <LoadingRows label={t('job.loading', { job })} />;
  }
  return isMissing(error) ? (
    <EmptyState
      title={t('entity.noneTitle')}
      description={t('entity.noneDescription', { job })}
    />
  ) : (
    <ReadFailure
      title={t('job.failed', { job })}
      error={error}
      onRetry={() => refetch()}
    />
  );
}
