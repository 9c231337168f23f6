import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { EmptyState, Panel } from '@slipway/design-system';
import type { JobDetails } from '../../api/types';
import { buildsTranslationRef } from '../../translation';
import { BuildsTable } from './BuildsTable';
import { DurationChart } from './DurationChart';
import styles from './Job.module.css';

/** How long the builds of a job took, and each of them. */
export function BuildHistory({ job }: { job: JobDetails }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  if (job.builds.length === 0) {
    return (
      <EmptyState
        title={t('job.emptyTitle')}
        description={t('job.emptyDescription')}
        code={`curl -X POST -u dev:dev-api-token http://localhost:8200/job/${job.name}/build`}
      />
    );
  }
  return (
    <div className={styles.history}>
      <Panel title={t('job.durations')}>
        <DurationChart job={job} />
      </Panel>
      <BuildsTable job={job} />
    </div>
  );
}
