import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { RiStopCircleLine } from '@remixicon/react';
import {
  ConfirmDialog,
  LoadingBlock,
  Page,
  PageHeader,
} from '@slipway/design-system';
import { useParams } from 'react-router-dom';
import type { BuildRef } from '../../api/BuildsApi';
import { ResultBadge } from '../../components/ResultBadge';
import { useStopBuild } from '../../data/useActions';
import { useBuild, useJob } from '../../data/useBuilds';
import { useLinks } from '../../data/useLinks';
import { buildsTranslationRef } from '../../translation';
import { BuildContent } from './BuildContent';
import { NoBuild } from './NoBuild';

/** One build: how it goes, its log, and the button that ends it. */
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
          action={data?.building && <StopButton build={build} />}
        />
      }
    >
      {!data && !error && (
        <LoadingBlock label={t('build.loading', names)} height={320} />
      )}
      {error && !data && (
        <NoBuild build={build} error={error} onRetry={() => refetch()} />
      )}
      {data && <BuildContent build={build} details={data} />}
    </Page>
  );
}

function StopButton({ build }: { build: BuildRef }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const [isAsking, setIsAsking] = useState(false);
  const { data: job } = useJob(build.job);
  const { mutateAsync, isSuccess } = useStopBuild();
  const names = { job: build.job, number: String(build.number) };
  if (!job?.triggerable) {
    return null;
  }
  return (
    <>
      <Button
        variant="secondary"
        iconStart={<RiStopCircleLine />}
        isDisabled={isSuccess}
        onPress={() => setIsAsking(true)}
      >
        {t(isSuccess ? 'build.stopping' : 'build.stop')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('build.stopTitle', names)}
        confirmLabel={t('build.stop')}
        onConfirm={() => mutateAsync(build)}
      >
        {t('build.stopText')}
      </ConfirmDialog>
    </>
  );
}
