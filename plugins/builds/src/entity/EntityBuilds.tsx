import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useEntity } from '@backstage/plugin-catalog-react';
import { Link } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import { EmptyState, LoadingRows } from '@slipway/design-system';
import { Branches } from '../pages/Branches';
import { BuildHistory } from '../pages/BuildHistory';
import { useJob } from '../queries';
import { useLinks } from '../routes';
import { buildsTranslationRef } from '../translation';
import styles from './EntityBuilds.module.css';

/** Annotation with the jobs that build a component, separated by commas. */
const ANNOTATION = 'slipway.dev/build-job';

/** Tab of a component's page with the build history of each of its jobs. */
export function EntityBuilds() {
  const { entity } = useEntity();
  const links = useLinks();
  const jobs = (entity.metadata.annotations?.[ANNOTATION] ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(Boolean);
  return (
    <>
      {jobs.map(job =>
        jobs.length === 1 ? (
          <BuildsOfJob key={job} job={job} />
        ) : (
          <section key={job} aria-label={job}>
            <h2 className={styles.job}>
              <Link href={links.job(job)}>{job}</Link>
            </h2>
            <BuildsOfJob job={job} />
          </section>
        ),
      )}
    </>
  );
}

function BuildsOfJob({ job }: { job: string }) {
  const { t } = useTranslationRef(buildsTranslationRef);
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
      {details => (
        <>
          <Branches job={details} />
          {details.mainBranch === null ? (
            <BuildHistory job={details} />
          ) : (
            <BuildsOfJob job={details.mainBranch} />
          )}
        </>
      )}
    </Loaded>
  );
}
