import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Loaded } from '@slipway/app-react';
import {
  Details,
  LoadingBlock,
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
import { useJob } from '../queries';
import { useLinks } from '../routes';
import { RunButton } from '../run/RunDialog';
import { buildsTranslationRef, type Translate } from '../translation';
import { BuildHistory } from './BuildHistory';

/** One job: its builds, how long they took, and the button that makes another. */
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
          description={data?.description ?? t('job.description')}
          breadcrumbs={[{ label: t('page.title'), href: links.jobs }]}
          status={data && <ResultBadge build={data.lastBuild} />}
          action={data && <RunButton job={data} />}
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
            <JobFacts job={job} />
            <BuildHistory job={job} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** What a job is set up to do, beside its builds. */
export function JobFacts({ job }: { job: JobDetails }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { repository, secrets } = job;
  return (
    <Details
      items={[
        ...(repository
          ? [{ label: t('job.repository'), value: repository }]
          : []),
        { label: t('job.kept'), value: describeKept(job, t) },
        ...(secrets.length > 0
          ? [{ label: t('job.secrets'), value: secrets.join(', ') }]
          : []),
      ]}
    />
  );
}

function describeKept({ discardOldBuilds }: JobDetails, t: Translate): string {
  const { keepBuilds, keepDays } = discardOldBuilds;
  const builds = String(keepBuilds);
  const days = String(keepDays);
  if (keepBuilds !== undefined && keepDays !== undefined) {
    return t('job.keptBoth', { builds, days });
  }
  if (keepBuilds !== undefined) {
    return t('job.keptBuilds', { builds });
  }
  return keepDays === undefined
    ? t('job.keptAll')
    : t('job.keptDays', { days });
}
