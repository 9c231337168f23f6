import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert, Link } from '@backstage/ui';
import { RiLockLine } from '@remixicon/react';
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
import styles from './BuildState.module.css';

/** Results of finished builds, best first. */
export const RESULTS = ['SUCCESS', 'UNSTABLE', 'FAILURE', 'ABORTED'] as const;

/** Badge tone of each result. */
export const TONES = {
  SUCCESS: 'success',
  UNSTABLE: 'warning',
  FAILURE: 'danger',
  ABORTED: 'neutral',
} as const satisfies Record<BuildResult, Tone>;

/** Shows the result of a build, that it is running or waits for an approval, or that a job has no build yet. */
export function ResultBadge(props: {
  build: Pick<BuildSummary, 'building' | 'waiting' | 'result'> | null;
  /** True if the job has no build yet because what was pushed said not to build it. */
  isSkipped?: boolean;
}) {
  const { build, isSkipped = false } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  if (!build) {
    return (
      <StatusBadge
        tone="neutral"
        label={t(isSkipped ? 'result.skipped' : 'result.never')}
      />
    );
  }
  if (build.waiting) {
    return <StatusBadge tone="info" label={t('result.waiting')} />;
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

/** Shows a build's duration; ticks while it runs. */
export function BuildDuration({ build }: { build: BuildSummary }) {
  return build.building ? (
    <Duration from={build.timestamp} to={null} />
  ) : (
    <>{formatDuration(build.elapsed)}</>
  );
}

/** Lock beside a build that is kept; renders nothing for others. */
export function KeptMark({ build }: { build: Pick<BuildSummary, 'kept'> }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { kept } = build;
  if (!kept) {
    return null;
  }
  const words =
    kept.reason === null
      ? t('build.kept')
      : t('build.keptFor', { reason: kept.reason });
  return (
    <span className={styles.kept} role="img" aria-label={words} title={words}>
      <RiLockLine size={14} aria-hidden />
    </span>
  );
}

/** Returns the name that a person gave to a build; undefined if it has only its number. */
export function nameOfBuild({
  number,
  displayName,
}: Pick<BuildSummary, 'number' | 'displayName'>): string | undefined {
  return displayName === `#${number}` ? undefined : displayName;
}

/** Warns that builds are not isolated, or that containers do not run: the risk, the cause and the solution. */
export function IsolationWarning() {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { data } = useIsolation();
  const fault = data?.containers?.fault ?? null;
  return (
    <>
      {data?.kind === 'none' && (
        <Alert
          status="warning"
          icon
          title={t('isolation.title')}
          description={`${data.gaps.join(' ')} ${t('isolation.advice')}`}
        />
      )}
      {fault !== null && (
        <Alert
          status="warning"
          icon
          title={t('isolation.containersTitle')}
          description={t('isolation.containersAdvice', { reason: fault })}
        />
      )}
    </>
  );
}

/** Shown in place of a job or build that does not exist. */
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
