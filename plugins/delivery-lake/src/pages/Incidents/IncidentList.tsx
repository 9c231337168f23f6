import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { EmptyState, LoadingRows } from '@slipway/design-system';
import { ReadFailure } from '../../components/ReadFailure';
import { IncidentTable } from '../../components/records/IncidentTable';
import styles from '../../components/records/records.module.css';
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
  const incidents = list.data?.pages.flatMap(page => page.incidents);
  return (
    <>
      {list.error && (
        <ReadFailure
          title={t('incidents.failed')}
          error={list.error}
          onRetry={() => list.refetch()}
        />
      )}
      {list.isPending && (
        <LoadingRows label={t('incidents.loading')} rows={8} />
      )}
      {incidents?.length === 0 && (
        <EmptyState
          title={t('incidents.emptyTitle')}
          description={t('incidents.emptyDescription')}
          action={
            onClearFilters && (
              <Button variant="secondary" onPress={onClearFilters}>
                {t('filter.clear')}
              </Button>
            )
          }
        />
      )}
      {incidents && incidents.length > 0 && (
        <IncidentTable incidents={incidents} />
      )}
      {list.hasNextPage && (
        <Button
          className={styles.more}
          variant="secondary"
          isPending={list.isFetchingNextPage}
          onPress={() => list.fetchNextPage()}
        >
          {t('deployments.more')}
        </Button>
      )}
    </>
  );
}
