import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Details } from '@slipway/design-system';
import type { JobDetails } from '../../api/types';
import { buildsTranslationRef, type Translate } from '../../translation';

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
