import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { DimensionReport } from '../../api/types';
import { Note } from '../../components/Note';
import { spaceTranslationRef } from '../../translation';

/** What must be known to read the numbers of a dimension: what is hidden, what is old. */
export function DimensionNotes({ report }: { report: DimensionReport }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const count = report.minimumGroupSize;
  return (
    <>
      {report.suppressed && (
        <Note kind="hidden">{t('hidden.panel', { count })}</Note>
      )}
      {report.stale && <Note kind="warning">{t('hidden.stale')}</Note>}
    </>
  );
}
