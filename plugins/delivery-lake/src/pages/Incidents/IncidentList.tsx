import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { IncidentTable } from '../../components/records/IncidentTable';
import { RecordList } from '../../components/records/RecordList';
import type { useIncidents } from '../../data/useRecords';
import { deliveryLakeTranslationRef } from '../../translation';

/** A list of incidents in whatever state it is. */
export function IncidentList(props: {
  list: ReturnType<typeof useIncidents>;
  /** Given while filters narrow the list. */
  onClearFilters?: () => void;
}) {
  const { list, onClearFilters } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const incidents = list.data?.pages.flatMap(page => page.incidents) ?? [];
  return (
    <RecordList
      list={list}
      texts={{
        failed: t('incidents.failed'),
        loading: t('incidents.loading'),
        emptyTitle: t('incidents.emptyTitle'),
        emptyDescription: t('incidents.emptyDescription'),
      }}
      isEmpty={incidents.length === 0}
      onClearFilters={onClearFilters}
    >
      <IncidentTable incidents={incidents} />
    </RecordList>
  );
}
