import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { JobFailure } from '../../components/JobFailure';
import { EmptyState } from '@slipway/design-system';
import type { BuildRef } from '../../api/BuildsApi';
import { useQueue } from '../../data/useBuilds';
import { buildsTranslationRef } from '../../translation';

/** Stands in the place of a build that cannot be read: mostly it still waits, and this says why. */
export function NoBuild(props: {
  build: BuildRef;
  error: unknown;
  onRetry(): void;
}) {
  const { build, error, onRetry } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const { data = [] } = useQueue();
  const names = { job: build.job, number: String(build.number) };
  const waiting = data.find(
    ({ task, buildNumber }) =>
      task.name === build.job && buildNumber === build.number,
  );
  return waiting ? (
    <EmptyState
      title={t('build.waitingTitle', names)}
      description={t('build.waitingDescription', { why: waiting.why ?? '' })}
    />
  ) : (
    <JobFailure
      title={t('build.failed', names)}
      error={error}
      onRetry={onRetry}
    />
  );
}
