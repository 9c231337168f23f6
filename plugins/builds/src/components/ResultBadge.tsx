import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { StatusBadge, type Tone } from '@slipway/design-system';
import type { BuildResult, BuildSummary } from '../api/types';
import { buildsTranslationRef } from '../translation';

const TONES: Record<BuildResult, Tone> = {
  SUCCESS: 'success',
  UNSTABLE: 'warning',
  FAILURE: 'danger',
  ABORTED: 'neutral',
};

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
