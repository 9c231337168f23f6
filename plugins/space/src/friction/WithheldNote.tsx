import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { RiEyeOffLine } from '@remixicon/react';
import type { TopFriction } from '../api/types';
import { spaceTranslationRef } from '../translation';
import styles from './friction.module.css';

/** How much friction is hidden, and why; nothing where nothing is. */
export function WithheldNote({ top }: { top: TopFriction }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  if (top.withheld.entries === 0) {
    return null;
  }
  return (
    <p className={styles.note}>
      <RiEyeOffLine size={16} aria-hidden />
      {t('friction.withheld', {
        count: top.withheld.entries,
        minimum: String(top.minimumGroupSize),
      })}
    </p>
  );
}
