import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { LoadingBlock, Page, PageHeader } from '@slipway/design-system';
import { useParams } from 'react-router-dom';
import { IsolationWarning } from '../../components/IsolationWarning';
import { JobFailure } from '../../components/JobFailure';
import { ResultBadge } from '../../components/ResultBadge';
import { useJob } from '../../data/useBuilds';
import { useLinks } from '../../data/useLinks';
import { RunButton } from '../../run/RunButton';
import { buildsTranslationRef } from '../../translation';
import { BuildHistory } from './BuildHistory';
import { JobFacts } from './JobFacts';

/** One job: its builds, how long they took, and the button that makes another. */
export function JobPage() {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { job: name = '' } = useParams();
  const links = useLinks();
  const { data, error, refetch } = useJob(name);
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
      {!data && !error && (
        <LoadingBlock label={t('job.loading', { job: name })} height={320} />
      )}
      {error && !data && (
        <JobFailure
          title={t('job.failed', { job: name })}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {data && <JobFacts job={data} />}
      {data && <BuildHistory job={data} />}
    </Page>
  );
}
