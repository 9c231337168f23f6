import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { LoadingBlock, Page, PageHeader } from '@slipway/design-system';
import { useParams } from 'react-router-dom';
import type { BuildRef } from '../../api/BuildsApi';
import { IsolationWarning } from '../../components/IsolationWarning';
import { ResultBadge } from '../../components/ResultBadge';
import { useBuild, useJob } from '../../data/useBuilds';
import { useLinks } from '../../data/useLinks';
import { buildsTranslationRef } from '../../translation';
import { BuildActions } from './BuildActions';
import { BuildContent } from './BuildContent';
import { NoBuild } from './NoBuild';

/** One build: how it goes, its log, and what can be done about it. */
export function BuildPage() {
  const { t } = useTranslationRef(buildsTranslationRef);
  const params = useParams();
  const build: BuildRef = {
    job: params.job ?? '',
    number: Number(params.number),
  };
  const names = { job: build.job, number: String(params.number) };
  const links = useLinks();
  const { data, error, refetch } = useBuild(build);
  const { data: job } = useJob(build.job);
  return (
    <Page
      header={
        <PageHeader
          title={t('build.title', names)}
          description={data?.reason ?? data?.cause}
          breadcrumbs={[
            { label: t('page.title'), href: links.jobs },
            { label: build.job, href: links.job(build.job) },
          ]}
          status={data && <ResultBadge build={data} />}
          action={
            data && <BuildActions build={build} details={data} job={job} />
          }
        />
      }
    >
      <IsolationWarning />
      {!data && !error && (
        <LoadingBlock label={t('build.loading', names)} height={320} />
      )}
      {error && !data && (
        <NoBuild build={build} error={error} onRetry={() => refetch()} />
      )}
      {data && <BuildContent build={build} details={data} job={job} />}
    </Page>
  );
}
