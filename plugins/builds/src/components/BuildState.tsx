import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert, Link } from '@backstage/ui';
import {
  Duration,
  EmptyState,
  formatDuration,
  StatusBadge,
  type Tone,
} from '@slipway/design-system';
import type { BuildResult, BuildSummary } from '../api/BuildsApi';
import { useIsolation } from '../queries';
import { useLinks } from '../routes';
import { buildsTranslationRef } from '../translation';

/** The tone of each result. */
export const TONES = {
  SUCCESS: 'success',
  UNSTABLE: 'warning',
  FAILURE: 'danger',
  ABORTED: 'neutral',
} as const satisfies Record<BuildResult, Tone>;

/** How a build went, or that it runs; of a job without one that it was never built. */
export function ResultBadge(props: {
  build: Pick<BuildSummary, 'building' | 'result'> | null;
}) {
  const { build } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  if (!build) {
    return <StatusBadge tone="neutral" label={t('result.never')} />;
  }
  return build.result === null ? (
    <StatusBadge tone="info" label={t('result.running')} busy />
  ) : (
    <StatusBadge
      tone={TONES[build.result]}
      label={t(`result.${build.result}`)}
    />
  );
}

/** How long a build took; ticks while it runs. */
export function BuildDuration({ build }: { build: BuildSummary }) {
  return build.building ? (
    <Duration from={new Date(build.timestamp).toISOString()} to={null} />
  ) : (
    <>{formatDuration(build.elapsed)}</>
  );
}

/** Warns where builds are not isolated: what that means, why it is so, what to do. */
export function IsolationWarning() {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { data } = useIsolation();
  return data?.kind === 'none' ? (
    <Alert
      status="warning"
      icon
      title={t('isolation.title')}
      description={`${data.gaps.join(' ')} ${t('isolation.advice')}`}
    />
  ) : null;
}

/** Stands where a job or build would be that is not there. */
export function NoSuchJob() {
  const { t } = useTranslationRef(buildsTranslationRef);
  const links = useLinks();
  return (
    <EmptyState
      title={t('failure.missingTitle')}
      description={t('failure.missingDescription')}
      action={<Link href={links.jobs}>{t('failure.missingAction')}</Link>}
    />
  );
}
