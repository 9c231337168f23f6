import type { ReactNode } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import { EmptyState, LoadingRows } from '@slipway/design-system';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { deliveryLakeTranslationRef } from '../translation';
import styles from './records.module.css';

/** Shows a paged list, or its loading, empty or error state. */
export function RecordList(props: {
  list: UseInfiniteQueryResult;
  texts: {
    failed: string;
    loading: string;
    emptyTitle: string;
    emptyDescription: string;
  };
  isEmpty: boolean;
  /** Set if filters are active. */
  onClearFilters?: () => void;
  /** The table of the rows read so far. */
  children: ReactNode;
}) {
  const { list, texts, isEmpty, onClearFilters, children } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <>
      {list.error && (
        <ReadFailure
          title={texts.failed}
          error={list.error}
          onRetry={() => list.refetch()}
        />
      )}
      {list.isPending && <LoadingRows label={texts.loading} rows={8} />}
      {list.data !== undefined && isEmpty && (
        <EmptyState
          title={texts.emptyTitle}
          description={texts.emptyDescription}
          action={
            onClearFilters && (
              <Button variant="secondary" onPress={onClearFilters}>
                {t('filter.clear')}
              </Button>
            )
          }
        />
      )}
      {!isEmpty && children}
      {list.hasNextPage && (
        <Button
          className={styles.more}
          variant="secondary"
          isPending={list.isFetchingNextPage}
          onPress={() => list.fetchNextPage()}
        >
          {t('records.more')}
        </Button>
      )}
    </>
  );
}
