import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert, Link } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import {
  Details,
  LoadingBlock,
  Page,
  PageHeader,
  Panel,
} from '@slipway/design-system';
import { useParams } from 'react-router-dom';
import type { JobDetails } from '../api/BuildsApi';
import {
  IsolationWarning,
  NoSuchJob,
  ResultBadge,
} from '../components/BuildState';
import { useJob, useJobs } from '../queries';
import { useLinks } from '../routes';
import { RunButton } from '../run/RunDialog';
import { buildsTranslationRef, type Translate } from '../translation';
import { BuildHistory } from './BuildHistory';
import styles from './BuildHistory.module.css';

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
          action={data?.faults.length === 0 && <RunButton job={data} />}
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
            <JobFacts job={job} />
            <Branches job={job} />
            <BuildHistory job={job} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Says what is wrong with the file of a job, which cannot be run until that is mended. */
export function JobFaults({ job }: { job: JobDetails }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { file, faults } = job;
  return faults.length === 0 ? null : (
    <Alert
      status="danger"
      icon
      title={t('job.faults', { file: file ?? job.name })}
      description={faults
        .map(({ message, line, column }) =>
          t('job.fault', {
            message,
            line: String(line),
            column: String(column),
          }),
        )
        .join(' ')}
    />
  );
}

/** The branches and pull requests of a job whose pipelines are in its repository. */
function Branches({ job }: { job: JobDetails }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const links = useLinks();
  const { data = [] } = useJobs();
  const branches = data.filter(({ parent }) => parent === job.name);
  return branches.length === 0 ? null : (
    <Panel title={t('job.branches')}>
      <ul className={styles.branches}>
        {branches.map(({ name, lastBuild }) => (
          <li key={name}>
            <Link href={links.job(name)}>
              {name.slice(job.name.length + 1)}
            </Link>{' '}
            <ResultBadge build={lastBuild} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** What a job is set up to do, beside its builds. */
export function JobFacts({ job }: { job: JobDetails }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { repository, secrets, file } = job;
  return (
    <Details
      items={[
        ...(repository
          ? [{ label: t('job.repository'), value: repository }]
          : []),
        ...(file ? [{ label: t('job.file'), value: file }] : []),
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
