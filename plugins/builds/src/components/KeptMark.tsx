import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { RiLockLine } from '@remixicon/react';
import type { BuildSummary } from '../api/BuildsApi';
import { buildsTranslationRef } from '../translation';
import styles from './KeptMark.module.css';

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
    <span className={styles.mark} role="img" aria-label={words} title={words}>
      <RiLockLine size={14} aria-hidden />
    </span>
  );
}
