import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { FIELDS } from '../../api/readReport';
import type { DimensionReport } from '../../api/types';
import { Note } from '../../components/Note';
import { spaceTranslationRef } from '../../translation';
import { shownOf } from '../../format/fields';

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
        <Note kind="hidden">
          {t(isHidden ? 'hidden.panel' : 'hidden.partly', { minimum })}
        </Note>
      )}
      {report.stale && <Note kind="warning">{t('hidden.stale')}</Note>}
    </>
  );
}
