import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import {
  LoadingBlock,
  LoadingRows,
  Page,
  PageHeader,
} from '@slipway/design-system';
import { useParams } from 'react-router-dom';
import type { JobDetails } from '../api/BuildsApi';
import {
  IsolationWarning,
  NoSuchJob,
  ResultBadge,
} from '../components/BuildState';
import { FileFaults, PipelineFaults } from '../components/FileFaults';
import { useJob, useJobs } from '../queries';
import { useLinks } from '../routes';
import { buildsTranslationRef } from '../translation';
import { Branches } from './Branches';
import { BuildHistory } from './BuildHistory';
import { JobActions, JobDisabled, JobSkipped } from './JobActions';
import { JobFacts, JobFile, JobWebhook } from './JobSetup';
import styles from './JobPage.module.css';

/** Page of one job: its builds, their durations, and the button that runs it. */
export function JobPage() {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { job: name = '' } = useParams();
  const links = useLinks();
  const query = useJob(name);
  const { data } = query;
  const newest = useNewest(data);
  return (
    <Page
      header={
        <PageHeader
          title={name}
          description={
            data?.pullRequestTitle ?? data?.description ?? t('job.description')
          }
          breadcrumbs={[{ label: t('page.title'), href: links.jobs }]}
          status={
            newest === undefined ? undefined : (
              <ResultBadge build={newest} isSkipped={data?.skipped !== null} />
            )
          }
          action={data && <JobActions job={data} />}
          isLoading={query.isPending}
        />
      }
    >
      <IsolationWarning />
      <Loaded
        query={query}
        failed={t('job.failed', { job: name })}
        loading={
          <LoadingBlock label={t('job.loading', { job: name })} height={320} />
        }
        missing={<NoSuchJob />}
      >
        {job => (
          <>
            <JobFaults job={job} />
            <PipelineFaults build={job.lastBuild} />
            <JobDisabled job={job} />
            <JobSkipped job={job} />
            <JobFacts job={job} />
            <Branches job={job} />
            <History job={job} />
            <JobWebhook job={job} />
            <JobFile job={job} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/**
 * Returns the newest build that counts: that of the main branch, if a job has one; null if it was
 * never built, undefined while it is loading.
 */
function useNewest(job: JobDetails | undefined) {
  const { data: jobs, isError } = useJobs();
  if (!job || job.mainBranch === null) {
    return job?.lastBuild;
  }
  const main = jobs?.find(({ name }) => name === job.mainBranch);
  return jobs || isError ? (main?.lastBuild ?? job.lastBuild) : undefined;
}

/** Shows the builds of a job, or those of its main branch if only its branches were built. */
function History({ job }: { job: JobDetails }) {
  const { mainBranch, builds } = job;
  return mainBranch === null || builds.length > 0 ? (
    <BuildHistory job={job} />
  ) : (
    <MainHistory name={mainBranch} />
  );
}

function MainHistory({ name }: { name: string }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const links = useLinks();
  return (
    <section aria-label={t('job.buildsOf', { job: name })}>
      <h2 className={styles.main}>
        <Link href={links.job(name)}>{t('job.buildsOf', { job: name })}</Link>
      </h2>
      <Loaded
        query={useJob(name)}
        failed={t('job.failed', { job: name })}
        loading={<LoadingRows label={t('job.loading', { job: name })} />}
      >
        {main => <BuildHistory job={main} />}
      </Loaded>
    </section>
  );
}

/** Lists the errors in a job's file, which have to be fixed before the job can run. */
export function JobFaults({ job }: { job: JobDetails }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { file, faults } = job;
  const title = t('job.faults', { file: file ?? job.name });
  return <FileFaults title={title} faults={faults} />;
}
