import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Loaded } from '@slipway/app-react';
import { LoadingBlock, Page, PageHeader } from '@slipway/design-system';
import { useParams } from 'react-router-dom';
import type { JobDetails } from '../api/BuildsApi';
import {
  IsolationWarning,
  NoSuchJob,
  ResultBadge,
} from '../components/BuildState';
import { FileFaults, PipelineFaults } from '../components/FileFaults';
import { useJob } from '../queries';
import { useLinks } from '../routes';
import { buildsTranslationRef } from '../translation';
import { Branches } from './Branches';
import { BuildHistory } from './BuildHistory';
import { JobActions, JobDisabled } from './JobActions';
import { JobFacts, JobFile, JobWebhook } from './JobSetup';

/** Page of one job: its builds, their durations, and the button that runs it. */
export function JobPage() {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { job: name = '' } = useParams();
  const links = useLinks();
  const query = useJob(name);
  const { data } = query;
  return (
    <Page
      header={
        <PageHeader
          title={name}
          description={
            data?.pullRequestTitle ?? data?.description ?? t('job.description')
          }
          breadcrumbs={[{ label: t('page.title'), href: links.jobs }]}
          status={data && <ResultBadge build={data.lastBuild} />}
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
            <JobFacts job={job} />
            <Branches job={job} />
            <BuildHistory job={job} />
            <JobWebhook job={job} />
            <JobFile job={job} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Lists the errors in a job's file, which have to be fixed before the job can run. */
export function JobFaults({ job }: { job: JobDetails }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { file, faults } = job;
  const title = t('job.faults', { file: file ?? job.name });
  return <FileFaults title={title} faults={faults} />;
}
