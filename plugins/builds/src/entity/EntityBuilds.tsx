import {
  useApiHolder,
  useRouteRef,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import {
  catalogApiRef,
  entityRouteRef,
  useEntity,
} from '@backstage/plugin-catalog-react';
import { Flex, Link } from '@backstage/ui';
import { Loaded, namesIn, useListOfComponents } from '@slipway/app-react';
import { EmptyState, LoadingRows } from '@slipway/design-system';
import type { JobSummary } from '../api/BuildsApi';
import { Branches } from '../pages/Branches';
import { BuildHistory } from '../pages/BuildHistory';
import { JobsPage } from '../pages/JobsPage';
import { useJob } from '../queries';
import { useLinks } from '../routes';
import { buildsTranslationRef } from '../translation';
import styles from './EntityBuilds.module.css';

/** Annotation with the jobs that build a component, separated by commas. */
const ANNOTATION = 'slipway.dev/build-job';

/**
 * Tab of an entity's page with its builds: the history of each job of a component, or the list of the
 * jobs of all components of a system or group.
 */
export function EntityBuilds() {
  const { entity } = useEntity();
  return entity.kind === 'Component' ? (
    <BuildsOfComponent />
  ) : (
    <JobsOfComponents />
  );
}

function JobsOfComponents() {
  const { entity } = useEntity();
  const { t } = useTranslationRef(buildsTranslationRef);
  const { components, list } = useListOfComponents<JobSummary>(entity, {
    catalog: useApiHolder().get(catalogApiRef),
    belongs: ({ name, parent }, component) =>
      namesIn(component, ANNOTATION).some(
        job => job === name || job === parent,
      ),
    pathOf: useRouteRef(entityRouteRef),
  });
  return (
    <Loaded
      query={components}
      failed={t('jobs.failed')}
      loading={<LoadingRows label={t('jobs.loading')} />}
    >
      {known =>
        known.some(each => namesIn(each, ANNOTATION).length > 0) ? (
          <Flex direction="column" gap="4">
            <JobsPage within={list} />
          </Flex>
        ) : (
          <EmptyState
            title={t('entity.noJobsTitle')}
            description={t('entity.noJobsDescription')}
          />
        )
      }
    </Loaded>
  );
}

function BuildsOfComponent() {
  const { entity } = useEntity();
  const links = useLinks();
  const jobs = namesIn(entity, ANNOTATION);
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
            <BuildsOfJob job={job} prefix={`${job}.`} />
          </section>
        ),
      )}
    </>
  );
}

function BuildsOfJob({ job, prefix }: { job: string; prefix?: string }) {
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
          <Branches job={details} prefix={prefix} />
          {details.mainBranch === null ? (
            <BuildHistory job={details} prefix={prefix} />
          ) : (
            <BuildsOfJob job={details.mainBranch} prefix={prefix} />
          )}
        </>
      )}
    </Loaded>
  );
}
