import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { RiAlertLine, RiEyeOffLine } from '@remixicon/react';
import { FIELDS } from '../../api/readReport';
import type { DimensionReport } from '../../api/types';
import { spaceTranslationRef } from '../../translation';
import { shownOf } from '../../format/fields';
import styles from './Overview.module.css';

/** What must be known to read the numbers of a dimension: what is hidden, what is old. */
export function DimensionNotes({ report }: { report: DimensionReport }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const minimum = String(report.minimumGroupSize);
  const isHidden = FIELDS[report.dimension].some(
    field => shownOf(field, report).state === 'hidden',
  );
  return (
    <>
      {report.suppressed && (
        <p className={styles.note}>
          <RiEyeOffLine size={16} aria-hidden />
          {t(isHidden ? 'hidden.panel' : 'hidden.partly', { minimum })}
        </p>
      )}
      {report.stale && (
        <p className={styles.note} data-tone="warning">
          <RiAlertLine size={16} aria-hidden />
          {t('hidden.stale')}
        </p>
      )}
    </>
  );
}
