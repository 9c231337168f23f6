import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useEntity } from '@backstage/plugin-catalog-react';
import { Loaded } from '@slipway/app-react';
import { EmptyState, LoadingRows } from '@slipway/design-system';
import { BuildHistory } from '../pages/BuildHistory';
import { useJob } from '../queries';
import { buildsTranslationRef } from '../translation';

/** Names the job that builds a component. */
const ANNOTATION = 'slipway.dev/build-job';

/** The builds of a component, as a tab of its page. */
export function EntityBuilds() {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { entity } = useEntity();
  const job = entity.metadata.annotations?.[ANNOTATION] ?? '';
  return (
    <Loaded
      query={useJob(job)}
      failed={t('job.failed', { job })}
      loading={<LoadingRows label={t('job.loading', { job })} />}
      missing={
        <EmptyState
          title={t('entity.noneTitle')}
          description={t('entity.noneDescription', { job })}
        />
      }
    >
      {details => <BuildHistory job={details} />}
    </Loaded>
  );
}
